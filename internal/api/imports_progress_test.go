package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
)

// slowlyWritten is a file of 800 objectives, run so far that it is about to be written, each 200 of them in more than a second.
func (b *bundle) slowlyWritten(more fields) api.Import {
	b.t.Helper()
	b.exec("CREATE SEQUENCE written") // of which others see how far it is, whatever becomes of the transaction
	b.exec(`CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN PERFORM nextval('public.written'); PERFORM pg_sleep(1.1); RETURN NULL; END $$`)
	b.exec("CREATE TRIGGER take_time BEFORE INSERT ON objectives FOR EACH STATEMENT EXECUTE FUNCTION take_time()")
	var file strings.Builder
	file.WriteString("objective_id,objective\n")
	for n := range 800 {
		fmt.Fprintf(&file, "o%04d,Objective %d\n", n, n)
	}
	i := b.admin.inCycle(b.admin.brings(file.String()), b.cycle, more)
	i = into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
	for i.Phase == nil || *i.Phase != "applying" {
		b.carryOutImport(i.ID, 1)
		before := *i.Percent
		i = get[api.Import](b.admin, importPath(i.ID))
		assert.GreaterOrEqual(b.t, *i.Percent, before)
	}
	assert.Equal(b.t, []int{50, 0, 800}, []int{*i.Percent, *i.PhaseDone, *i.PhaseTotal})
	return i
}

// step works on a file in the background, and says how that ended.
func (b *bundle) step(id uuid.UUID) <-chan error {
	b.t.Helper()
	work := b.workOf(id)
	ended := make(chan error, 1)
	go func() {
		_, err := intake.NewWorker(b.store, slog.New(slog.DiscardHandler)).Step(b.t.Context(), b.id, work)
		ended <- err
	}()
	return ended
}

// followImport reads the stream of an import, and hands on what it shows until it ends.
func (p *person) followImport(id uuid.UUID) <-chan api.Import {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1"+importPath(id)+"/events", nil)
	require.NoError(p.t, err)
	request.Header.Set("Authorization", "Bearer "+p.token)
	shown := make(chan api.Import, 1000)
	go func() {
		defer cancel()
		defer close(shown)
		response, err := p.client.Do(request)
		if !assert.NoError(p.t, err) {
			return
		}
		defer response.Body.Close()
		assert.Equal(p.t, http.StatusOK, response.StatusCode)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var i api.Import
				assert.NoError(p.t, json.Unmarshal([]byte(data), &i))
				shown <- i
			}
		}
	}()
	return shown
}

// While all of a file is being written, nothing of it is there yet, and everybody sees how far it has come.
func TestAFileThatIsWrittenAtOnceShowsHowFarItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.slowlyWritten(nil)
	shown := b.admin.followImport(i.ID)
	ended := b.step(i.ID)
	var done, percents []int
	for seen := range shown {
		if seen.State == api.ImportState(intake.Running) {
			done, percents = append(done, *seen.PhaseDone), append(percents, *seen.Percent)
			if *seen.PhaseDone > 0 {
				assert.Zero(t, value[int](b, "SELECT count(*) FROM objectives"), "nothing of it is there yet")
			}
			continue
		}
		assert.Equal(t, api.ImportState(intake.Done), seen.State)
		assert.Nil(t, seen.Percent)
	}
	require.NoError(t, <-ended)
	assert.IsIncreasing(t, done)
	assert.IsIncreasing(t, percents)
	assert.GreaterOrEqual(t, len(done), 3, "%v", done)
	assert.Equal(t, 800, value[int](b, "SELECT count(*) FROM objectives"))
}

// Whoever cancels in the midst of it does not wait, and everything that was written is undone.
func TestAFileThatIsWrittenAtOnceIsCancelledInTheMidst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.slowlyWritten(nil)
	ended := b.step(i.ID)
	for seen := range b.admin.followImport(i.ID) {
		if seen.State != api.ImportState(intake.Running) || *seen.PhaseDone > 0 {
			break
		}
	}
	began := time.Now()
	cancelled := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/cancel", nil).is(http.StatusOK))
	assert.Less(t, time.Since(began), time.Second)
	assert.Equal(t, api.ImportState(intake.Cancelled), cancelled.State)
	require.NoError(t, <-ended)
	assert.Zero(t, value[int](b, "SELECT count(*) FROM objectives"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM external_ids"))
	assert.Equal(t, cancelled.Revision, get[api.Import](b.admin, importPath(i.ID)).Revision)
}

// Where the import's row is held by somebody else, writing goes on without saying how far it is.
func TestWritingDoesNotWaitToSayHowFarItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.slowlyWritten(nil)
	ended := b.step(i.ID)
	written := func() int { return value[int](b, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM written") }
	require.Eventually(t, func() bool { return written() > 0 }, patience, 5*time.Millisecond)
	_, release := b.holds("SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE", i.ID)
	require.Eventually(t, func() bool { return written() == 4 }, patience, 5*time.Millisecond)
	assert.Zero(t, value[int](b, "SELECT phase_done FROM imports WHERE id = $1", i.ID))
	release()
	require.NoError(t, <-ended)
	assert.Equal(t, 800, value[int](b, "SELECT count(*) FROM objectives"))
}

func TestAStreamOfAnImportIsForWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.member.inCycle(b.member.brings(smallFile), b.cycle, nil)
	b.lead.send(http.MethodGet, importPath(i.ID)+"/events", nil).refused(http.StatusNotFound, "not-found")
	begun := into[api.Import](b.member.send(http.MethodPost, importPath(i.ID)+"/check", fields{"revision": i.Revision}).is(http.StatusAccepted))
	shown := b.member.followImport(i.ID)
	first := <-shown
	assert.Equal(t, begun.Revision, first.Revision)
	assert.Equal(t, []int{0, 0, 1}, []int{*first.Percent, *first.PhaseDone, *first.PhaseTotal})
	b.exec("DELETE FROM sessions WHERE user_id = $1", b.member.id)
	for range shown {
		assert.Fail(t, "nobody is signed in any more")
	}
}
