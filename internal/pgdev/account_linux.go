package pgdev

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

const (
	canPass          = true
	capDACReadSearch = 2 // CAP_DAC_READ_SEARCH of linux/capability.h
)

func passFolders(attr *syscall.SysProcAttr) { attr.AmbientCaps = []uintptr{capDACReadSearch} }

func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }

// serves reports whether the process is a server on that data: a postmaster works inside its data folder.
func serves(pid int, cluster string) (bool, error) {
	works, err := os.Stat("/proc/" + strconv.Itoa(pid) + "/cwd")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0 {
		return false, nil // another user's, and the data are ours
	}
	if err != nil {
		return false, err
	}
	data, err := os.Stat(cluster)
	return err == nil && os.SameFile(works, data), err
}
