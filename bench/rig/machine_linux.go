package rig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func endWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }

func inMemory(folder string) bool {
	var s unix.Statfs_t
	return unix.Statfs(folder, &s) == nil && s.Type == unix.TMPFS_MAGIC
}

// LoadAverage is the machine's, over the last minute.
func LoadAverage() (float64, error) {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(content), " ")
	return strconv.ParseFloat(first, 64)
}

// Pin binds a process, all its threads and all its children to cores. What they start later inherits it.
func Pin(pid int, cores ...int) error {
	var only unix.CPUSet
	for _, core := range cores {
		only.Set(core)
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return err
	}
	for _, t := range threads {
		thread, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := unix.SchedSetaffinity(thread, &only); err != nil && !errors.Is(err, unix.ESRCH) { // it may have ended
			return fmt.Errorf("rig: bind %d to cores %v: %w", thread, cores, err)
		}
	}
	children, err := childrenOf(pid)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := Pin(child, cores...); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func childrenOf(pid int) (all []int, err error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		content, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(content)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return nil, err
			}
			all = append(all, child)
		}
	}
	return all, nil
}

// PostgresPID is the number of the server's first process.
func (r *Rig) PostgresPID() (int, error) {
	content, err := os.ReadFile(filepath.Join(r.dir, "postgres", "cluster", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(content), "\n")
	return strconv.Atoi(first)
}

// tick is what the kernel counts a process's time in.
const tick = 10 * time.Millisecond

// CPU is the time that a process and its living children have used, and its ended children had.
func CPU(pid int) (time.Duration, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name, in parentheses, may hold anything; utime, stime, cutime and cstime are the 12th to 15th fields behind it.
	fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
	var total time.Duration
	for _, field := range fields[11:15] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		total += time.Duration(ticks) * tick
	}
	children, err := childrenOf(pid)
	if err != nil {
		return 0, err
	}
	for _, child := range children {
		used, err := CPU(child)
		if err != nil && !os.IsNotExist(err) {
			return 0, err
		}
		total += used
	}
	return total, nil
}

// OwnCPU is the time that this process has used, without its children.
func OwnCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Busy is the time that all cores together have spent on anything, or were held back by the machine beneath.
func Busy() (time.Duration, error) {
	content, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	// user, nice, system, idle, iowait, irq, softirq, steal
	first, _, _ := strings.Cut(string(content), "\n")
	fields := strings.Fields(first)
	var total time.Duration
	for i, field := range fields[1:9] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		if i != 3 && i != 4 {
			total += time.Duration(ticks) * tick
		}
	}
	return total, nil
}
