package pgdev

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// childVariable makes this test binary start a server on the folder it names, say so, and wait to be killed.
const childVariable = "PGDEV_TEST_CHILD"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childVariable); folder != "" {
		s, err := Start(context.Background(), Options{DataDir: folder})
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		fmt.Println(s.OwnerURL)
		select {}
	}
	code := m.Run()
	if made := prepared(); made.err == nil {
		_ = os.RemoveAll(made.folder)
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

type preparation struct {
	folder string
	err    error
}

// prepared is a folder whose data have been made and whose server has been stopped: making data takes longest.
var prepared = sync.OnceValue(func() preparation {
	folder, err := os.MkdirTemp("", "pgdev-test-")
	if err != nil {
		return preparation{err: err}
	}
	s, err := Start(context.Background(), Options{DataDir: folder, Ephemeral: true})
	if err == nil {
		// Not by Stop, which would leave data to be recovered.
		err = endProcess(s.process, false, s.gone)
		err = errors.Join(err, s.Stop())
	}
	return preparation{folder, err}
})

// withData is a folder of the test's own with data in it.
func withData(t *testing.T) string {
	t.Helper()
	made := prepared()
	if made.err != nil {
		t.Fatal(made.err)
	}
	folder := filepath.Join(t.TempDir(), "postgres")
	if output, err := exec.Command("cp", "-a", made.folder, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return folder
}

// begin starts a server that ends with the test.
func begin(t *testing.T, folder string) *Server {
	t.Helper()
	s, err := Start(t.Context(), Options{DataDir: folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// beginChild starts a server in another process, which the caller kills.
func beginChild(t *testing.T, binary, folder string, attributes *syscall.SysProcAttr) (child *exec.Cmd, ownerURL string) {
	t.Helper()
	child = exec.Command(binary)
	child.Env = append(os.Environ(), childVariable+"="+folder)
	child.SysProcAttr = attributes
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(child) })
	lines := bufio.NewScanner(output)
	lines.Scan()
	if !strings.HasPrefix(lines.Text(), "postgres://") {
		t.Fatalf("the other process says %q", lines.Text())
	}
	return child, lines.Text()
}

func kill(child *exec.Cmd) {
	_ = child.Process.Kill()
	_ = child.Wait()
}

func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// exec1 runs one statement on a connection of its own.
func exec1(t *testing.T, url, statement string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	_, err = conn.Exec(t.Context(), statement)
	return err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error %q does not say %q", err, part)
		}
	}
}

func TestDataAreKeptAndHaveOneUser(t *testing.T) {
	t.Parallel()
	folder := withData(t)
	first := begin(t, folder)
	must(t, exec1(t, first.OwnerURL, "CREATE TABLE kept AS SELECT 1"))
	_, err := Start(t.Context(), Options{DataDir: folder})
	wantError(t, err, "another program", folder)
	must(t, first.Stop())
	must(t, first.Stop())
	second := begin(t, folder)
	must(t, exec1(t, second.OwnerURL, "SELECT FROM kept"))
	if err := exec1(t, first.OwnerURL, "SELECT 1"); err == nil && first.OwnerURL != second.OwnerURL {
		t.Error("the first server still answers")
	}
}

func TestLoginsHaveTheirRightsOnly(t *testing.T) {
	t.Parallel()
	s := begin(t, withData(t))
	must(t, exec1(t, s.OwnerURL, "CREATE ROLE made_by_the_owner"))
	for _, refused := range []string{"CREATE TABLE mine (id int)", "CREATE ROLE mine", "ALTER DATABASE kakeai SET timezone = 'UTC'"} {
		wantError(t, exec1(t, s.AppURL, refused), "42501")
	}
	wantError(t, exec1(t, s.OwnerURL, "ALTER ROLE kakeai_app BYPASSRLS"), "42501")
	wantError(t, exec1(t, strings.Replace(s.AppURL, ":", ":x", 2), "SELECT 1"))
	for _, name := range []string{"passwords.json", "server.log"} {
		info, err := os.Stat(filepath.Join(s.data.path, name))
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is open to others: %s", name, info.Mode())
		}
	}
	conn, err := pgx.Connect(t.Context(), s.SuperuserURL)
	must(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var zone, encoding, lower, addresses, durable string
	must(t, conn.QueryRow(t.Context(), `SELECT current_setting('timezone'), current_setting('server_encoding'), lower('É'),
		current_setting('listen_addresses'), current_setting('fsync')`).Scan(&zone, &encoding, &lower, &addresses, &durable))
	if zone != "UTC" || encoding != "UTF8" || lower != "é" || addresses != "127.0.0.1" || durable != "on" {
		t.Errorf("time zone %s, encoding %s, lower case of É %s, listening on %s, fsync %s", zone, encoding, lower, addresses, durable)
	}
}

func TestPortTakenInBetween(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	calls := 0
	s, err := start(t.Context(), Options{DataDir: withData(t)}, func() (int, error) {
		if calls++; calls == 1 {
			return taken.Addr().(*net.TCPAddr).Port, nil
		}
		return freePort()
	})
	must(t, err)
	must(t, s.Stop())
	if calls != 2 {
		t.Errorf("%d ports tried, want 2", calls)
	}
}

func TestKilledProgramLeavesUsableData(t *testing.T) {
	t.Parallel()
	folder := withData(t)
	child, url := beginChild(t, executable(t), folder, nil)
	must(t, exec1(t, url, "CREATE TABLE kept AS SELECT 1"))
	kill(child)
	if runtime.GOOS == "linux" {
		for end := time.Now().Add(10 * time.Second); exec1(t, url, "SELECT 1") == nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the server goes on without its program")
			}
		}
	}
	child, url = beginChild(t, executable(t), folder, nil)
	kill(child)
	s := begin(t, folder) // at once, while the server may still be ending
	must(t, exec1(t, s.OwnerURL, "SELECT FROM kept"))
	if exec1(t, url, "SELECT 1") == nil {
		t.Error("the server of the killed program still answers")
	}
}

// Where the kernel does not end the server with the program, the next start does.
func TestServerLeftBehindIsStopped(t *testing.T) {
	t.Parallel()
	folder := withData(t)
	left := begin(t, folder)
	must(t, exec1(t, left.OwnerURL, "CREATE TABLE kept AS SELECT 1"))
	must(t, left.lock.Close()) // as the kernel does for a program that is gone
	left.lock = nil
	s := begin(t, folder)
	must(t, exec1(t, s.OwnerURL, "SELECT FROM kept"))
	select {
	case <-left.exited:
	default:
		t.Error("the server left behind still runs")
	}
}

func TestPIDFileOfAnotherProcess(t *testing.T) {
	t.Parallel()
	for name, pid := range map[string]int{"alive": os.Getpid(), "gone": 1 << 22} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := withData(t)
			content := fmt.Sprintf("%d\n%s\n1790000000\n5432\n\n127.0.0.1\n", pid, filepath.Join(folder, "cluster"))
			must(t, os.WriteFile(filepath.Join(folder, "cluster", "postmaster.pid"), []byte(content), 0o644))
			begin(t, folder)
		})
	}
}

func TestInterruptedMakingIsDoneAgain(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "postgres")
	child := exec.Command(executable(t))
	child.Env = append(os.Environ(), childVariable+"="+folder)
	must(t, child.Start())
	for {
		found, _ := filepath.Glob(filepath.Join(folder, unfinishedPrefix+"*", "cluster", "PG_VERSION"))
		if len(found) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	kill(child)
	if _, err := os.Stat(filepath.Join(folder, "cluster")); err == nil {
		t.Fatal("killed too late for this test")
	}
	s := begin(t, folder)
	must(t, exec1(t, s.OwnerURL, "CREATE TABLE works (id int)"))
	if found, _ := filepath.Glob(filepath.Join(folder, unfinishedPrefix+"*")); len(found) > 0 {
		t.Errorf("left lying about: %v", found)
	}
}

func TestReasonForNotStarting(t *testing.T) {
	t.Parallel()
	t.Run("broken data", func(t *testing.T) {
		t.Parallel()
		folder := withData(t)
		must(t, os.Remove(filepath.Join(folder, "cluster", "global", "pg_control")))
		_, err := Start(t.Context(), Options{DataDir: folder})
		wantError(t, err, filepath.Join(folder, "server.log"), "pg_control")
		if lock, err := (folderOf(t, folder)).acquire(); err != nil {
			t.Errorf("the folder stays locked: %v", err)
		} else {
			must(t, lock.Close())
		}
	})
	t.Run("another version's data", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		must(t, os.Mkdir(filepath.Join(folder, "cluster"), 0o700))
		must(t, os.WriteFile(filepath.Join(folder, "cluster", "PG_VERSION"), []byte("11\n"), 0o600))
		_, err := Start(t.Context(), Options{DataDir: folder})
		newest, findErr := findPrograms(t.Context(), installed(), t.TempDir(), 0, discard)
		must(t, findErr)
		wantError(t, err, "PostgreSQL 11", fmt.Sprintf("version %d", newest.major), "make clean-data")
	})
	t.Run("passwords lost", func(t *testing.T) {
		t.Parallel()
		folder := withData(t)
		must(t, os.Remove(filepath.Join(folder, "passwords.json")))
		_, err := Start(t.Context(), Options{DataDir: folder})
		wantError(t, err, "passwords.json", "make clean-data")
	})
	t.Run("context over", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := Start(ctx, Options{DataDir: withData(t)})
		wantError(t, err, "context canceled")
	})
}

func folderOf(t *testing.T, path string) folder {
	t.Helper()
	f, err := openFolder(path, false)
	must(t, err)
	return f
}

// Root cannot run the server, and whom it drops to cannot pass root's closed folders without help.
func TestRootInAClosedFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 || !canPass {
		t.Skip("only for root on Linux")
	}
	folder := withData(t)
	must(t, os.Chmod(filepath.Dir(folder), 0o700))
	s := begin(t, folder)
	must(t, exec1(t, s.OwnerURL, "CREATE TABLE works (id int)"))
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	must(t, err)
	if strings.Contains(string(status), "\nUid:\t0") {
		t.Error("the server runs as root")
	}
	// The data belong to whom they belonged to: after a copy by root they are handed over again.
	must(t, s.Stop())
	if output, err := exec.Command("chown", "-R", "root", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	begin(t, folder)
}

func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("all other tests run as an ordinary user already")
	}
	const uid, gid = 54321, 54321                // without a name on this machine
	open, err := os.MkdirTemp("", "pgdev-test-") //nolint:usetesting // another user has to reach it, and t.TempDir is closed to them
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	binary := filepath.Join(open, "binary")
	folder := filepath.Join(open, "postgres")
	for _, command := range [][]string{
		{"cp", executable(t), binary},
		{"cp", "-a", withData(t), folder},
		{"chown", "-R", fmt.Sprintf("%d:%d", uid, gid), open},
		{"chmod", "755", open, binary},
	} {
		if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	child, url := beginChild(t, binary, folder, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}})
	must(t, exec1(t, url, "CREATE TABLE kept AS SELECT 1"))
	kill(child)
	s := begin(t, folder) // root goes on with the user's data, as that user
	must(t, exec1(t, s.OwnerURL, "SELECT FROM kept"))
	must(t, s.Stop())
	info, err := os.Stat(filepath.Join(folder, "cluster"))
	must(t, err)
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != uid {
		t.Errorf("the data belong to %d now", owner)
	}
}

func TestTemporaryServer(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	old := time.Now().Add(-time.Hour)
	abandoned, used := temporaryPrefix+"abandoned", temporaryPrefix+"used"
	for _, name := range []string{abandoned, used} {
		must(t, os.Mkdir(filepath.Join(os.TempDir(), name), 0o700))
	}
	lock, err := folderOf(t, filepath.Join(os.TempDir(), used)).acquire()
	must(t, err)
	defer lock.Close()
	for _, name := range []string{abandoned, used} {
		must(t, os.Chtimes(filepath.Join(os.TempDir(), name), old, old))
	}
	s, err := Start(t.Context(), Options{Ephemeral: true})
	must(t, err)
	must(t, exec1(t, s.OwnerURL, "CREATE TABLE works (id int)"))
	must(t, s.Stop())
	entries, err := os.ReadDir(os.TempDir())
	must(t, err)
	if len(entries) != 1 || entries[0].Name() != used {
		t.Errorf("left are %v, want only the folder in use", entries)
	}
}
