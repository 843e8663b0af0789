package pgdev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// repositoryVariable names a Maven repository to download from, where the public one cannot be reached.
const repositoryVariable = "KAKEAI_POSTGRES_REPOSITORY"

const (
	oldestMajor     = 15
	downloadTimeout = 5 * time.Minute
)

// programs are PostgreSQL's server programs of one version.
type programs struct {
	folder  string // of postgres and initdb
	version string // for instance 15.18
	major   int
}

func (p programs) String() string          { return "PostgreSQL " + p.version + " from " + p.folder }
func (p programs) path(name string) string { return filepath.Join(p.folder, name) }

// locales are initdb's arguments, the best first: text ordered by code point on every machine and lower() for all of Unicode,
// by PostgreSQL's own tables where it has them, else by the system's; where neither is there, lower() knows ASCII only.
func (p programs) locales() [][]string {
	var all [][]string
	if p.major >= 17 {
		all = append(all, []string{"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"})
	}
	return append(all, []string{"--locale=C.UTF-8"}, []string{"--locale=C"})
}

// findPrograms finds the newest server programs, or downloads some. If there are data already, only programs of the
// version that made them will do.
func findPrograms(ctx context.Context, folders []string, dataDir string, made int, log *slog.Logger) (programs, error) {
	downloads := filepath.Join(dataDir, "download")
	var newest programs
	for _, folder := range append(folders, filepath.Join(downloads, "bin")) {
		found, err := inspect(ctx, folder)
		if err != nil || found.major < oldestMajor {
			continue
		}
		if found.major == made {
			return found, nil
		}
		if found.major > newest.major {
			newest = found
		}
	}
	switch {
	case ctx.Err() != nil: // then nothing could be looked at, which is not the same as finding nothing
		return programs{}, ctx.Err()
	case made != 0 && newest.major != 0:
		return programs{}, fmt.Errorf("the data in %s were made by PostgreSQL %d, but this machine has version %d: install version %d, or start over with `make clean-data`",
			dataDir, made, newest.major, made)
	case newest.major != 0:
		return newest, nil
	}
	log.Info("no PostgreSQL on this machine, downloading one", "folder", downloads)
	config := embeddedpostgres.DefaultConfig()
	if repository := os.Getenv(repositoryVariable); repository != "" {
		config = config.BinaryRepositoryURL(repository)
	}
	found, err := download(ctx, downloads, config)
	if err != nil {
		return programs{}, fmt.Errorf("no PostgreSQL server programs, version %d or newer, on this machine, and none could be downloaded (%w). "+
			"Install them (Debian, Ubuntu: apt install postgresql; Fedora: dnf install postgresql-server; Homebrew: brew install postgresql@17) "+
			"or set DATABASE_URL to a server you have", oldestMajor, err)
	}
	if made != 0 && made != found.major {
		return programs{}, fmt.Errorf("the data in %s were made by PostgreSQL %d, but what could be downloaded is version %d: install version %d, or start over with `make clean-data`",
			dataDir, made, found.major, made)
	}
	return found, nil
}

// installed are the folders where server programs may be: those on the PATH first, then the usual places, which most
// distributions keep off it.
func installed() []string {
	folders := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",       // Debian, Ubuntu
		"/usr/pgsql-*/bin",                // the PostgreSQL project's packages for Red Hat and its kin
		"/usr/lib/postgresql*/bin",        // openSUSE
		"/usr/libexec/postgresql*",        // Alpine
		"/opt/homebrew/opt/postgres*/bin", // Homebrew
		"/usr/local/opt/postgres*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgres*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		found, _ := filepath.Glob(pattern)
		folders = append(folders, found...)
	}
	return folders
}

var versionPattern = regexp.MustCompile(`^postgres \(PostgreSQL\) ((\d+)[^ \n]*)`)

// inspect finds out which version's programs are in a folder.
func inspect(ctx context.Context, folder string) (programs, error) {
	if !filepath.IsAbs(folder) {
		return programs{}, errors.New("a relative folder")
	}
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(folder, name)); err != nil {
			return programs{}, err
		}
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(folder, "postgres")); err == nil {
		if _, err := exec.LookPath(filepath.Join(filepath.Dir(real), "initdb")); err == nil {
			folder = filepath.Dir(real)
		}
	}
	output, err := exec.CommandContext(ctx, filepath.Join(folder, "postgres"), "--version").Output()
	if err != nil {
		return programs{}, fmt.Errorf("%s/postgres --version: %w", folder, err)
	}
	match := versionPattern.FindStringSubmatch(string(output))
	if match == nil {
		return programs{}, fmt.Errorf("%s/postgres --version answers %q", folder, strings.TrimSpace(string(output)))
	}
	major, err := strconv.Atoi(match[2])
	return programs{folder: folder, version: match[1], major: major}, err
}

// download fetches server programs into the folder. The library can only do so while it starts a server, so a throwaway one is
// started; as root that fails, but after the programs have been laid down, and only they count.
func download(ctx context.Context, folder string, config embeddedpostgres.Config) (programs, error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return programs{}, err
	}
	work, err := os.MkdirTemp(filepath.Dir(folder), unfinishedPrefix)
	if err != nil {
		return programs{}, err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil {
		return programs{}, err
	}
	port, err := freePort()
	if err != nil {
		return programs{}, err
	}
	unpacked := filepath.Join(work, "unpacked")
	server := embeddedpostgres.NewDatabase(config.
		Port(uint32(port)). //nolint:gosec // a port fits
		CachePath(filepath.Join(work, "archive")).
		BinariesPath(unpacked).
		RuntimePath(filepath.Join(work, "run")).
		Logger(io.Discard))
	done := make(chan error, 1)
	go func() {
		err := server.Start()
		if err == nil {
			err = server.Stop()
		}
		done <- err
	}()
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	var startErr error
	select {
	case startErr = <-done:
	case <-ctx.Done(): // the library takes no context: it is left to fail by itself
		return programs{}, ctx.Err()
	}
	found, err := inspect(ctx, filepath.Join(unpacked, "bin"))
	if err != nil {
		return programs{}, errors.Join(startErr, fmt.Errorf("for %s/%s: %w", runtime.GOOS, runtime.GOARCH, err))
	}
	if err := os.RemoveAll(folder); err != nil {
		return programs{}, err
	}
	if err := os.Rename(unpacked, folder); err != nil {
		return programs{}, err
	}
	found.folder = filepath.Join(folder, "bin")
	return found, nil
}
