package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/intake"
)

// In a process with these variables the test binary works on a file, until it is killed or there is nothing left.
const (
	intakeDatabase     = "KAKEAI_TEST_INTAKE_DATABASE"
	intakeOrganization = "KAKEAI_TEST_INTAKE_ORGANIZATION"
	intakeWork         = "KAKEAI_TEST_INTAKE_WORK"
)

func runIntake(ctx context.Context) error {
	store, err := db.Open(ctx, os.Getenv(intakeDatabase), db.Options{})
	if err != nil {
		return err
	}
	worker := intake.NewWorker(store, slog.New(slog.DiscardHandler))
	for more := true; more; {
		if more, err = worker.Step(ctx, uuid.MustParse(os.Getenv(intakeOrganization)), uuid.MustParse(os.Getenv(intakeWork))); err != nil {
			return err
		}
	}
	return nil
}

// A process that works on a file is killed in each phase, the writing included. Nothing of the file is there until all of it is, and another process brings it to its end.
func TestAProcessThatIsKilledLeavesNothingHalfImported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const objectives = 1200
	var file strings.Builder
	file.WriteString("objective_id,objective,state,key_result,target,value,checked_at\n")
	for n := range objectives {
		fmt.Fprintf(&file, "o%d,Objective %d,approved,Users,100,%d,2026-10-01\n", n, n, n%100)
	}
	i := b.admin.inCycle(b.admin.brings(file.String()), b.cycle, nil)
	running := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
	work := b.workOf(running.ID)
	whole := func() string {
		return value[string](b, `SELECT (SELECT count(*) FROM objectives) || ' ' || (SELECT count(*) FROM key_results) || ' ' || (SELECT count(*) FROM check_ins) || ' ' ||
			(SELECT count(*) FROM external_ids) || ' ' || (SELECT count(*) FROM audit_events WHERE detail ? 'import_id')`)
	}
	killed := 0
	for ended := false; !ended; {
		process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
		process.Env = append(os.Environ(), intakeDatabase+"="+b.database.AppURL, intakeOrganization+"="+b.id.String(), intakeWork+"="+work.String())
		require.NoError(t, process.Start())
		done := make(chan error, 1)
		go func() { done <- process.Wait() }()
		started := value[string](b, "SELECT phase || after_position || after_key FROM imports WHERE id = $1", running.ID)
		for waiting := true; waiting; {
			select {
			case err := <-done:
				require.NoError(t, err)
				ended, waiting = true, false
			case <-time.After(5 * time.Millisecond):
				now := value[*string](b, "SELECT max(phase || after_position || after_key) FROM imports WHERE id = $1 AND work_id IS NOT NULL", running.ID)
				mid := value[int](b, "SELECT count(*) FROM pg_locks WHERE relation = 'check_ins'::regclass AND mode = 'RowExclusiveLock'")
				if now != nil && (killed < 12 && *now != started || killed >= 12 && killed < 20 && mid > 0) {
					require.NoError(t, process.Process.Kill())
					<-done //nolint:errcheck // that it was killed
					waiting = false
					if killed++; mid > 0 {
						killed = 20
					}
				}
			}
		}
		if !ended {
			assert.Equal(t, "0 0 0 0 0", whole(), "killed after %s", started)
		}
	}
	assert.Equal(t, 20, killed, "it was to be killed behind the last objective, too")
	assert.Equal(t, api.ImportState(intake.Done), get[api.Import](b.admin, importPath(running.ID)).State)
	assert.Equal(t, fmt.Sprintf("%d %d %d %d %d", objectives, objectives, objectives, 3*objectives, 2*objectives), whole())
}

// Two who run the same file at once bring it once.
func TestTheSameFileAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "objective_id,objective,key_result,target\n"
	for n := range 50 {
		file += fmt.Sprintf("o%d,Objective %d,Users,100\n", n, n)
	}
	var works []uuid.UUID
	var ids []uuid.UUID
	for range 2 {
		i := b.admin.inCycle(b.admin.brings(file), b.cycle, nil)
		running := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
		works, ids = append(works, b.workOf(running.ID)), append(ids, running.ID)
	}
	for _, w := range works { // both have checked before either writes
		for phase := ""; phase != "applying"; phase = value[string](b, "SELECT phase FROM imports WHERE work_id = $1", w) {
			_, err := intake.NewWorker(b.store, nil).Step(t.Context(), b.id, w)
			require.NoError(t, err)
		}
	}
	ended := make(chan error, 2)
	for _, w := range works {
		go func() {
			worker := intake.NewWorker(b.store, nil)
			for {
				more, err := worker.Step(t.Context(), b.id, w)
				if err == nil && !more {
					ended <- nil
					return
				}
			}
		}()
	}
	for range works {
		require.NoError(t, <-ended)
	}
	created := 0
	for _, id := range ids {
		i := get[api.Import](b.admin, importPath(id))
		assert.Equal(t, api.ImportState(intake.Done), i.State)
		created += i.Objectives.Create
	}
	assert.Equal(t, 50, created)
	assert.Equal(t, 50, value[int](b, "SELECT count(*) FROM objectives"))
	assert.Equal(t, 50, value[int](b, "SELECT count(*) FROM key_results"))
}

// What has been changed by hand since it was checked is checked once more, and not overwritten unseen.
func TestAnEditWhileAFileIsRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "objective_id,objective\no1,Ship it\n"
	b.admin.works(b.admin.inCycle(b.admin.brings(file), b.cycle, nil), "run")
	i := b.admin.inCycle(b.admin.brings("objective_id,objective\no1,Ship it now\n"), b.cycle, nil)
	running := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
	work := b.workOf(running.ID)
	worker := intake.NewWorker(b.store, nil)
	for phase := ""; phase != "applying"; phase = value[string](b, "SELECT phase FROM imports WHERE work_id = $1", work) {
		_, err := worker.Step(t.Context(), b.id, work)
		require.NoError(t, err)
	}
	id := value[uuid.UUID](b, "SELECT id FROM objectives")
	b.admin.send(http.MethodPatch, objective(id), fields{"revision": 1, "description": "by hand"}).is(http.StatusOK)
	_, err := worker.Step(t.Context(), b.id, work)
	require.Error(t, err)
	b.carryOutImport(running.ID, -1)
	o := get[api.Objective](b.admin, objective(id))
	assert.Equal(t, "Ship it now", o.Title)
	assert.Equal(t, "by hand", *o.Description)
	assert.Equal(t, int64(3), o.Revision)
}
