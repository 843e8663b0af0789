package pgdev

import (
	"archive/zip"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

var discard = slog.New(slog.DiscardHandler)

// pretend makes a folder of programs that claim to be of a version.
func pretend(t *testing.T, folder, version string) string {
	t.Helper()
	must(t, os.MkdirAll(folder, 0o755))
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] && echo 'postgres (PostgreSQL) %s'\n", version)
	for _, name := range []string{"postgres", "initdb", "pg_ctl"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755))
	}
	return folder
}

func TestFindPrograms(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folders := []string{
		"relative", filepath.Join(root, "missing"),
		pretend(t, filepath.Join(root, "14"), "14.20"),
		pretend(t, filepath.Join(root, "16"), "16.9 (Debian 16.9-1)"),
		pretend(t, filepath.Join(root, "18"), "18beta1"),
		pretend(t, filepath.Join(root, "15"), "15.18"),
	}
	for _, c := range []struct {
		folders []string
		made    int
		want    string
	}{
		{folders, 0, "18beta1"},
		{folders, 16, "16.9"},
		{folders, 15, "15.18"},
	} {
		got, err := findPrograms(t.Context(), c.folders, t.TempDir(), c.made, discard)
		if err != nil || got.version != c.want {
			t.Errorf("for data of version %d: %q and %v, want %q", c.made, got.version, err, c.want)
		}
	}
	for _, made := range []int{14, 17} {
		_, err := findPrograms(t.Context(), folders, t.TempDir(), made, discard)
		wantError(t, err, fmt.Sprintf("PostgreSQL %d", made), "version 18", "make clean-data")
	}
}

// repository serves one archive of programs as the library expects it, or nothing.
func repository(t *testing.T, archive string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if archive == "" || !strings.HasSuffix(r.URL.Path, ".jar") {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, archive)
	}))
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections() // which the library uses
		server.Close()
	})
	return server.URL
}

func TestDownload(t *testing.T) {
	root := t.TempDir()
	pretend(t, filepath.Join(root, "bin"), "18.3")
	if output, err := exec.Command("tar", "-C", root, "-cJf", filepath.Join(root, "programs.txz"), "bin").CombinedOutput(); err != nil {
		t.Skipf("tar cannot make the archive: %s", output)
	}
	jar := filepath.Join(root, "programs.jar")
	file, err := os.Create(jar)
	must(t, err)
	archive := zip.NewWriter(file)
	entry, err := archive.Create("programs.txz")
	must(t, err)
	content, err := os.ReadFile(filepath.Join(root, "programs.txz"))
	must(t, err)
	_, err = entry.Write(content)
	must(t, err)
	must(t, archive.Close())
	must(t, file.Close())

	data := t.TempDir()
	t.Setenv(repositoryVariable, repository(t, jar))
	got, err := findPrograms(t.Context(), nil, data, 0, discard)
	must(t, err)
	if want := "PostgreSQL 18.3 from " + filepath.Join(data, "download", "bin"); got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	t.Setenv(repositoryVariable, repository(t, ""))
	if _, err := findPrograms(t.Context(), nil, data, 18, discard); err != nil {
		t.Errorf("the second time, from the folder: %v", err)
	}
	_, err = findPrograms(t.Context(), nil, t.TempDir(), 0, discard)
	wantError(t, err, "no PostgreSQL server programs", "apt install postgresql", "DATABASE_URL", string(embeddedpostgres.V18))
	if left, _ := filepath.Glob(filepath.Join(data, unfinishedPrefix+"*")); len(left) > 0 {
		t.Errorf("left lying about: %v", left)
	}
}
