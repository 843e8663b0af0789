package rig

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Profiler keeps CPU profiles of a profiled product; the zero value keeps none.
type Profiler struct {
	Folder  string
	Address string // of pprof
}

// Environment is what the product is told.
func (p Profiler) Environment() []string {
	if p.Folder == "" {
		return nil
	}
	return []string{"PPROF_ADDR=" + p.Address}
}

// CPU writes NAME.cpu, a profile of the next so many seconds. It returns when they are over.
func (p Profiler) CPU(ctx context.Context, name string, length time.Duration) error {
	if p.Folder == "" {
		return nil
	}
	if err := os.MkdirAll(p.Folder, 0o755); err != nil { //nolint:gosec // no secrets
		return err
	}
	url := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", p.Address, int(length.Seconds()))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("rig: profile: %w", err)
	}
	defer answer.Body.Close()
	file, err := os.Create(filepath.Join(p.Folder, name+".cpu"))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, answer.Body)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}
