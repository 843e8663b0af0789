package soak

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Supported is an error where a soak cannot look at processes.
func Supported() error { return nil }

// Resident is the memory that a process has, in bytes.
func Resident(pid int) (int64, error) { return kilobytes(pid, "status", "VmRSS:") }

// Proportional is a process's memory in bytes, of which what is shared counts in part, so that processes can be added up.
func Proportional(pid int) (int64, error) { return kilobytes(pid, "smaps_rollup", "Pss:") }

func kilobytes(pid int, file, field string) (int64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(content) {
		if fields := strings.Fields(string(line)); len(fields) >= 2 && fields[0] == field {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("soak: process %d has no %s", pid, field)
}

// Ports are the local ports of the connections that a process has established to a port on this machine.
func Ports(pid int, port string) ([]string, error) {
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return nil, err
	}
	inodes := make(map[string]bool, len(links))
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil { // it may be closed by now
			if inode, found := strings.CutPrefix(to, "socket:["); found {
				inodes[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/tcp", pid))
	if err != nil {
		return nil, err
	}
	remote, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, err
	}
	const established = "01"
	wanted := fmt.Sprintf(":%04X", remote)
	var ports []string
	for line := range bytes.Lines(content) {
		// sl, local, remote, state, queues, timer, retransmits, uid, timeout, inode
		fields := strings.Fields(string(line))
		if len(fields) < 10 || fields[3] != established || !strings.HasSuffix(fields[2], wanted) || !inodes[fields[9]] {
			continue
		}
		_, hexadecimal, _ := strings.Cut(fields[1], ":")
		local, err := strconv.ParseUint(hexadecimal, 16, 16)
		if err != nil {
			return nil, err
		}
		ports = append(ports, strconv.FormatUint(local, 10))
	}
	return ports, nil
}

// Alive reports whether a process has not ended.
func Alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func kill(pid int) error   { return syscall.Kill(pid, syscall.SIGKILL) }
func stop(pid int) error   { return syscall.Kill(pid, syscall.SIGSTOP) }
func resume(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }
