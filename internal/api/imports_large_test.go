package api_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
)

// TestAHundredThousandRows is run where KAKEAI_TEST_LARGE says how many rows: so many take minutes. It says how long each part took, and how much memory this process came to hold.
func TestAHundredThousandRows(t *testing.T) {
	t.Parallel()
	if os.Getenv("KAKEAI_TEST_LARGE") == "" {
		t.Skip("KAKEAI_TEST_LARGE is not set")
	}
	rows, err := strconv.Atoi(os.Getenv("KAKEAI_TEST_LARGE"))
	require.NoError(t, err)
	b := setup(t)
	b.client.Timeout = 0
	generated, writer := io.Pipe()
	go func() {
		defer writer.Close()
		_, _ = fmt.Fprintln(writer, "objective_id,objective,objective_description,owner,team,parent_objective,key_result_id,key_result,baseline,target,unit")
		for n := range rows {
			o := n / 3
			parent := ""
			if o >= 1000 {
				parent = fmt.Sprint("o", o%1000)
			}
			_, _ = fmt.Fprintf(writer, "o%d,目標 %d を達成する,%s,%s,カスタマーサクセス,%s,k%d,成果指標 %d,0,%d,件\n", o, o, strings.Repeat("説明", 20), b.author.email, parent, n, n, n+1)
		}
	}()
	began := time.Now()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/v1/imports", generated)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "text/csv")
	request.Header.Set("Authorization", "Bearer "+b.admin.token)
	response, err := b.client.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	i := into[api.Import](answer{t: t, status: response.StatusCode, body: body}.is(http.StatusCreated))
	t.Logf("uploaded in %s", time.Since(began).Round(time.Millisecond))
	run := func(i api.Import) api.Import {
		begun := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
		worker := intake.NewWorker(b.store, slog.New(slog.DiscardHandler))
		work := b.workOf(begun.ID)
		took := map[string]time.Duration{}
		longest := map[string]time.Duration{}
		var most uint64
		for more := true; more; {
			phase := value[string](b, "SELECT phase FROM imports WHERE id = $1", begun.ID)
			at := time.Now()
			more, err = worker.Step(t.Context(), b.id, work)
			require.NoError(t, err)
			took[phase] += time.Since(at)
			longest[phase] = max(longest[phase], time.Since(at))
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		for phase, d := range took {
			t.Logf("%s: %s, the longest step %s", phase, d.Round(time.Millisecond), longest[phase].Round(time.Millisecond))
		}
		t.Logf("heap at most %d MiB", most>>20)
		return get[api.Import](b.admin, importPath(begun.ID))
	}
	i = b.admin.inCycle(i, b.cycle, nil)
	began = time.Now()
	done := run(i)
	t.Logf("run in %s", time.Since(began).Round(time.Millisecond))
	require.Equal(t, api.ImportState(intake.Done), done.State, "%v", done.Failure)
	assert.Equal(t, rows, done.KeyResults.Create)
	assert.Equal(t, (rows+2)/3, value[int](b, "SELECT count(*) FROM objectives"))
	assert.Equal(t, (rows+2)/3, value[int](b, "SELECT count(*) FROM objective_history"))
	began = time.Now()
	exported := b.admin.send(http.MethodGet, "/export", nil).is(http.StatusOK)
	t.Logf("exported %d bytes in %s", len(exported.body), time.Since(began).Round(time.Millisecond))
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
}
