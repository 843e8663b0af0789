package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
)

// Foreign keys are checked for each row that a file makes: by plans that were made while the tables were almost empty, each check would go through all of the organisation, and so would the statements
// that write the next rows.
func TestAFileIsWrittenByKeysAlone(t *testing.T) {
	t.Parallel()
	const objectives = 1500
	for name, more := range map[string]fields{"all at once": nil, "what is good": {"good_rows_only": true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			var file strings.Builder
			file.WriteString("objective_id,objective,parent_objective,key_result_id,key_result,baseline,target\n")
			for n := range objectives {
				parent := ""
				if n > 0 {
					parent = fmt.Sprint("o", (n-1)/50)
				}
				for k := range 2 {
					_, _ = fmt.Fprintf(&file, "o%d,Objective %d,%s,k%d.%d,Key result,0,10\n", n, n, parent, n, k)
				}
			}
			i := b.admin.inCycle(b.admin.brings(file.String()), b.cycle, more)
			done := b.admin.works(i, "run")
			require.Equal(t, api.ImportState(intake.Done), done.State, "%v", done.Failure)
			scans := func(primary bool) int {
				return value[int](b, `SELECT coalesce(sum(s.idx_scan), 0)::int FROM pg_stat_user_indexes AS s JOIN pg_index AS i USING (indexrelid)
					WHERE s.relname IN ('objectives', 'key_results') AND i.indisprimary = $1`, primary)
			}
			require.Eventually(t, func() bool { return scans(true) > 5*objectives }, time.Minute, 50*time.Millisecond, "a connection tells of its scans a little later")
			assert.Less(t, scans(false), 2*objectives, "what reads lists, and not what is checked for each row")
		})
	}
}
