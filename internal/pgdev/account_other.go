//go:build !linux

package pgdev

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

const canPass = false

func passFolders(*syscall.SysProcAttr) {}

// endWithParent does nothing here: the next Start ends a server left behind.
func endWithParent(*syscall.SysProcAttr) {}

// serves reports whether the process is a server on that data, which its command line names.
func serves(pid int, cluster string) (bool, error) {
	output, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return false, nil
	}
	return strings.Contains(string(output), "-D "+cluster+" "), err
}
