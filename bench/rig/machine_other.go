//go:build !linux

package rig

import (
	"errors"
	"syscall"
	"time"
)

var errLinux = errors.New("rig: this needs Linux")

func endWithParent() *syscall.SysProcAttr { return nil }

func inMemory(string) bool { return false }

// LoadAverage is the machine's, over the last minute.
func LoadAverage() (float64, error) { return 0, errLinux }

// Pin binds a process, all its threads and all its children to cores.
func Pin(int, ...int) error { return errLinux }

// PostgresPID is the number of the server's first process.
func (r *Rig) PostgresPID() (int, error) { return 0, errLinux }

// CPU is the time that a process and its living children have used.
func CPU(int) (time.Duration, error) { return 0, errLinux }

// OwnCPU is the time that this process has used, without its children.
func OwnCPU() time.Duration { return 0 }

// Busy is the time that all cores together have spent on anything.
func Busy() (time.Duration, error) { return 0, errLinux }
