package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestExitCodeIsTheCommands(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "postgres://given")
	for script, want := range map[string]int{
		"exit 0": 0,
		"exit 7": 7,
		`[ "$TEST_DATABASE_URL" = "postgres://given" ]`: 0,
		"kill -9 $$": 137,
	} {
		code, err := run([]string{"sh", "-c", script})
		if err != nil || code != want {
			t.Errorf("%s: %d and %v, want %d", script, code, err, want)
		}
	}
	if code, err := run([]string{"/there/is/no/such/program"}); err == nil || code == 0 {
		t.Errorf("a missing program: %d and %v", code, err)
	}
}

func TestSignalsReachTheCommand(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "postgres://given")
	ready := filepath.Join(t.TempDir(), "ready")
	go func() {
		for {
			if _, err := os.Stat(ready); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}()
	code, err := run([]string{"sh", "-c", "trap 'exit 9' TERM; touch " + ready + "; while :; do sleep 0.02; done"})
	if err != nil || code != 9 {
		t.Errorf("%d and %v, want the command's own 9", code, err)
	}
}

func TestServerLastsAsLongAsTheCommand(t *testing.T) {
	if os.Getenv(pgtest.URLVariable) != "" {
		t.Setenv(pgtest.URLVariable, "")
	}
	file := filepath.Join(t.TempDir(), "url")
	code, err := run([]string{"sh", "-c", `printf %s "$TEST_DATABASE_URL" >` + file})
	if err != nil || code != 0 {
		t.Fatalf("%d and %v", code, err)
	}
	url, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(url), "postgres://") {
		t.Fatalf("the command found the server %q", url)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if conn, err := pgx.Connect(ctx, string(url)); err == nil {
		_ = conn.Close(ctx)
		t.Error("the server is still there after the command")
	}
}
