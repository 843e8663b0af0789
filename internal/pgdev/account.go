package pgdev

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// account is who the server's processes run as: who we are, unless we are root, as whom PostgreSQL refuses to run.
type account struct {
	name     string
	uid, gid uint32
	dropped  bool // become uid and gid
	passes   bool // and pass folders that are closed to that user, as root does
}

// accountFor finds who can run the server on that folder.
func accountFor(ctx context.Context, data folder, server programs) (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	a, err := unprivileged(data.cluster())
	if err != nil {
		return a, err
	}
	// Everything inside the folder that is secret is closed by itself; passing through is what the server needs.
	if info, err := os.Stat(data.path); err != nil {
		return a, err
	} else if err := os.Chmod(data.path, info.Mode().Perm()|0o111); err != nil {
		return a, err
	}
	tryErr := a.try(ctx, data, server)
	if tryErr == nil {
		return a, nil
	}
	// The folder often lies in root's home. The capability to read, inherited by the server's own children, opens the way
	// and nothing can be written with it.
	a.passes = canPass
	if !a.passes || a.try(ctx, data, server) != nil {
		return a, fmt.Errorf("running as root, but PostgreSQL must not, and the user %s cannot reach both %s and %s (%w); choose folders open to that user, run as an ordinary user, or set DATABASE_URL to another server",
			a.name, data.path, server.folder, tryErr)
	}
	return a, nil
}

// unprivileged is the user to run as instead of root: whose data these are, else the machine's user for PostgreSQL, else nobody.
func unprivileged(cluster string) (account, error) {
	info, err := os.Stat(cluster)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return account{}, err
	}
	if err == nil {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
			return account{name: fmt.Sprintf("number %d", owner.Uid), uid: owner.Uid, gid: owner.Gid, dropped: true}, nil
		}
	}
	var a account
	for _, name := range []string{"postgres", "nobody"} {
		u, lookupErr := user.Lookup(name)
		if lookupErr != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil && uid != 0 {
			a = account{name: name, uid: uint32(uid), gid: uint32(gid), dropped: true}
			break
		}
	}
	if !a.dropped {
		return a, errors.New("running as root, but PostgreSQL must not, and this machine has no user postgres or nobody")
	}
	if err == nil { // root's copy of somebody's data
		return a, filepath.WalkDir(cluster, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, int(a.uid), int(a.gid))
		})
	}
	return a, nil
}

// try reports whether the account reaches the folder and can run the server's program.
func (a account) try(ctx context.Context, data folder, server programs) error {
	cmd := a.command(ctx, "/bin/sh", "-c", `cd "$1" && "$2" --version`, "sh", data.path, server.path("postgres"))
	output, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

// own hands files over to the account.
func (a account) own(paths ...string) error {
	if !a.dropped {
		return nil
	}
	for _, path := range paths {
		if err := os.Chown(path, int(a.uid), int(a.gid)); err != nil {
			return err
		}
	}
	return nil
}

// command prepares a program to run as the account, away from our terminal, so that Ctrl-C there reaches us first and not
// the server, and with nothing of our environment that could steer it or that it need not know.
func (a account) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	if a.dropped {
		// A capability counts only from the program's start on, so the way to a program in a closed folder is found by env.
		program, arguments = "/usr/bin/env", append([]string{program}, arguments...)
	}
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if a.dropped {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	if a.passes {
		passFolders(cmd.SysProcAttr)
	}
	return cmd
}

// run starts a program, which on Linux the kernel asks to end when we die. The channel is closed when it has ended.
func run(cmd *exec.Cmd) (<-chan struct{}, error) {
	endWithParent(cmd.SysProcAttr)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		// To the kernel the parent is the thread, so this one must last as long as the program.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in ProcessState
		}
	}()
	return ended, <-started
}
