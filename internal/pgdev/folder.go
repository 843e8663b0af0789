package pgdev

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// folder is where a server keeps everything.
type folder struct {
	path      string // absolute
	ephemeral bool
}

func openFolder(path string, ephemeral bool) (folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return folder{}, err
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return folder{}, err
	}
	// The path as the kernel sees it, so that a server left behind is recognised through symbolic links.
	path, err = filepath.EvalSymlinks(path)
	return folder{path: path, ephemeral: ephemeral}, err
}

func (f folder) cluster() string { return filepath.Join(f.path, "cluster") }

// acquire takes the folder's lock. The kernel gives it back when the file is closed or the program ends, however it ends.
func (f folder) acquire() (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(f.path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another program is running its PostgreSQL in %s", f.path)
		}
		return nil, fmt.Errorf("locking %s: %w", f.path, err)
	}
	return lock, nil
}

// madeBy is the major version of PostgreSQL that made the data, or 0 if there are none yet.
func (f folder) madeBy() (int, error) {
	content, err := os.ReadFile(filepath.Join(f.cluster(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil || major <= 0 {
		return 0, fmt.Errorf("%s is not the data of a PostgreSQL server; `make clean-data` starts over", f.cluster())
	}
	return major, nil
}

type passwords struct {
	Superuser string `json:"postgres"`
	Owner     string `json:"kakeai_owner"`
	App       string `json:"kakeai_app"`
}

// passwords reads the logins' passwords, or makes them before there are data.
func (f folder) passwords(haveData bool) (passwords, error) {
	var p passwords
	path := filepath.Join(f.path, "passwords.json")
	content, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(content, &p); err != nil {
			return p, fmt.Errorf("reading %s: %w", path, err)
		}
		return p, nil
	case !errors.Is(err, fs.ErrNotExist):
		return p, err
	case haveData:
		return p, fmt.Errorf("%s is missing, so nobody can sign in to the data beside it; `make clean-data` starts over", path)
	}
	p = passwords{Superuser: rand.Text(), Owner: rand.Text(), App: rand.Text()}
	content, err = json.MarshalIndent(p, "", "\t")
	if err != nil {
		return p, err
	}
	// Renamed into place, so that a crash leaves no half of it.
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return p, err
	}
	return p, os.Rename(path+".new", path)
}

const unfinishedPrefix = "unfinished-"

// initialize makes the cluster. Nothing is called cluster before it is complete, so one whose making was interrupted is
// never taken for data.
func (f folder) initialize(ctx context.Context, server programs, runAs account, password string) error {
	f.removeUnfinished()
	defer f.removeUnfinished() // once more, for an initdb that had lost its parent may have been writing still
	unfinished, err := os.MkdirTemp(f.path, unfinishedPrefix)
	if err != nil {
		return err
	}
	cluster := filepath.Join(unfinished, "cluster")
	passwordFile := filepath.Join(unfinished, "password")
	err = errors.Join(
		os.Mkdir(cluster, 0o700),
		os.WriteFile(passwordFile, []byte(password), 0o600),
		runAs.own(unfinished, cluster, passwordFile),
	)
	if err != nil {
		return err
	}
	for _, locale := range server.locales() {
		arguments := []string{
			"--pgdata=" + cluster, "--username=" + superuser, "--pwfile=" + passwordFile,
			"--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions",
		}
		if f.ephemeral {
			arguments = append(arguments, "--no-sync")
		}
		var output bytes.Buffer
		cmd := runAs.command(ctx, server.path("initdb"), append(arguments, locale...)...)
		cmd.Stdout, cmd.Stderr = &output, &output
		ended, runErr := run(cmd)
		if runErr != nil {
			return fmt.Errorf("running %s: %w", cmd.Path, runErr)
		}
		<-ended
		if cmd.ProcessState.Success() {
			return os.Rename(cluster, f.cluster())
		}
		err = fmt.Errorf("initdb: %s\n%s", cmd.ProcessState, strings.TrimSpace(output.String()))
		if ctx.Err() != nil {
			break
		}
	}
	return err
}

func (f folder) removeUnfinished() {
	found, _ := filepath.Glob(filepath.Join(f.path, unfinishedPrefix+"*"))
	for _, path := range found {
		_ = os.RemoveAll(path)
	}
}

// settings are the server's arguments. They stand on the command line, so that they hold for data made by an older release too.
func (f folder) settings(port int) []string {
	arguments := []string{"-D", f.cluster()}
	set := func(setting string) { arguments = append(arguments, "-c", setting) }
	set("listen_addresses=127.0.0.1")
	set("port=" + strconv.Itoa(port))
	set("unix_socket_directories=") // their paths are limited to about 100 bytes, which a folder's may exceed
	set("timezone=UTC")
	set("log_timezone=UTC")
	set("logging_collector=off")
	if f.ephemeral {
		set("fsync=off")
		set("synchronous_commit=off")
		set("full_page_writes=off")
		set("max_connections=300")
	}
	return arguments
}

// newLog begins the log of this run and keeps that of the one before, which may tell why it ended.
func (f folder) newLog() (*os.File, error) {
	path := filepath.Join(f.path, "server.log")
	if err := os.Rename(path, path+".previous"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

// tail is the end of a log: enough to see why the server ended.
func tail(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// endLeftover ends a server that outlived the program which started it. The folder's lock is held, so no living program
// uses that server.
func (f folder) endLeftover(log *slog.Logger) error {
	path := filepath.Join(f.cluster(), "postmaster.pid")
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 0 || !alive(pid) {
		return nil //nolint:nilerr // PostgreSQL clears a dead server's file away by itself, after checks of its own
	}
	if ours, err := serves(pid, f.cluster()); err != nil {
		return fmt.Errorf("finding out whether process %d is a server on %s: %w", pid, f.cluster(), err)
	} else if !ours {
		// The number now belongs to another process, for which PostgreSQL would refuse to start.
		return os.Remove(path)
	}
	log.Info("stopping a server left behind", "process", pid, "folder", f.path)
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return endProcess(process, false, func(wait time.Duration) bool {
		for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if !alive(pid) {
				return true
			}
		}
		return false
	})
}

func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
