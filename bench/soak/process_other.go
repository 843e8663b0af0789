//go:build !linux

package soak

import "errors"

var errLinux = errors.New("soak: this needs Linux, which tells of processes in /proc")

// Supported is an error where a soak cannot look at processes.
func Supported() error { return errLinux }

// Resident is the memory that a process has, in bytes.
func Resident(int) (int64, error) { return 0, errLinux }

// Proportional is a process's memory in bytes, of which what is shared counts in part, so that processes can be added up.
func Proportional(int) (int64, error) { return 0, errLinux }

// Ports are the local ports of the connections that a process has established to a port on this machine.
func Ports(int, string) ([]string, error) { return nil, errLinux }

// Alive reports whether a process has not ended.
func Alive(int) bool { return false }

func kill(int) error   { return errLinux }
func stop(int) error   { return errLinux }
func resume(int) error { return errLinux }
