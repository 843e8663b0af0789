package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/intake"
)

func TestAnExportHasWhatOneMaySee(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "Objective,Owner,Team,Visibility,Key result,Target\n" +
		"All," + b.author.email + ",,organization,=HYPERLINK(1),5\n" +
		"Team," + b.author.email + ",カスタマーサクセス,team,,\n" +
		"Private," + b.author.email + ",カスタマーサクセス,private,,\n"
	done := b.admin.works(b.admin.inCycle(b.admin.brings(file), b.cycle, nil), "run")
	require.Equal(t, api.ImportState(intake.Done), done.State, "%v", b.admin.reasons(done))
	titles := func(p *person, query string) []string {
		all, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(p.send(http.MethodGet, "/export"+query, nil).is(http.StatusOK).body), "\uFEFF"))).ReadAll()
		require.NoError(t, err)
		seen := []string{}
		for _, row := range all[1:] {
			seen = append(seen, row[1])
		}
		slices.Sort(seen)
		return seen
	}
	assert.Equal(t, []string{"All", "Private", "Team"}, titles(b.author, ""))
	assert.Equal(t, []string{"All", "Private", "Team"}, titles(b.lead, ""))
	assert.Equal(t, []string{"All", "Team"}, titles(b.teammate, ""))
	assert.Equal(t, []string{"All"}, titles(b.member, ""))
	assert.Equal(t, []string{"All"}, titles(b.viewer, ""))
	assert.Equal(t, []string{"All", "Private", "Team"}, titles(b.admin, "?cycle_id="+b.cycle.String()))
	assert.Empty(t, titles(b.admin, "?cycle_id="+uuid.NewString()))
	assert.Empty(t, titles(b.elsewhere, ""))
	b.anonymous.send(http.MethodGet, "/export", nil).is(http.StatusUnauthorized)

	whole := b.author.send(http.MethodGet, "/export", nil).is(http.StatusOK)
	assert.True(t, strings.HasPrefix(string(whole.body), "\uFEFFobjective_id,"))
	assert.Contains(t, string(whole.body), ",'=HYPERLINK(1),", "no spreadsheet may compute it")
	assert.Equal(t, `attachment; filename="kakeai-okr.csv"`, whole.header.Get("Content-Disposition"))
	shiftJIS := b.author.send(http.MethodGet, "/export?encoding=shift_jis", nil).is(http.StatusOK)
	text, err := japanese.ShiftJIS.NewDecoder().Bytes(shiftJIS.body)
	require.NoError(t, err)
	assert.Contains(t, string(text), "カスタマーサクセス")
	assert.Contains(t, shiftJIS.header.Get("Content-Type"), "shift_jis")
	assert.Equal(t, "shift_jis", b.admin.brings(string(shiftJIS.body)).Encoding)
}

func TestAKeyResultWithManyCheckIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var file strings.Builder
	file.WriteString("Objective,State,Key result,Target,Value,Check-in date\n")
	for n := range 2100 {
		fmt.Fprintf(&file, "Ship it,approved,Users,5000,%d,%s\n", n, time.Date(2026, 10, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339))
	}
	file.WriteString("Ship it,approved,Errors,5,1,2026-10-01\nShip it,approved,Empty,5,,\n")
	done := b.admin.works(b.admin.inCycle(b.admin.brings(file.String()), b.cycle, nil), "run")
	require.Equal(t, api.ImportState(intake.Done), done.State)
	assert.Equal(t, 2101, done.CheckIns.Create)
	var whole struct{ Rows []map[string]string }
	require.NoError(t, json.Unmarshal(b.admin.send(http.MethodGet, "/export?format=json", nil).is(http.StatusOK).body, &whole))
	assert.Len(t, whole.Rows, 2102)
	again := b.admin.works(into[api.Import](b.admin.send(http.MethodPost, "/imports", b.admin.send(http.MethodGet, "/export?format=json", nil).body).is(http.StatusCreated)), "run")
	require.Equal(t, api.ImportState(intake.Done), again.State, "%v", b.admin.reasons(again))
	assert.Equal(t, 2102, again.Rows.Same)
}

// inOrganization is the same people in another organisation, which has teams and cycles of the same names and nothing else.
func (b *bundle) inOrganization(cycles []uuid.UUID) *person {
	b.t.Helper()
	other := *b
	other.id = db.NewID()
	require.NoError(b.t, b.q.CreateOrganization(b.t.Context(), db.CreateOrganizationParams{OrganizationID: other.id, Name: "Empty", Locale: "ja", TimeZone: "Asia/Kathmandu", Cadence: "weekly", GraceDays: 7}))
	for _, p := range []*person{b.admin, b.author, b.lead} {
		role := auth.Member
		if p == b.admin {
			role = auth.Admin
		}
		require.NoError(b.t, b.q.CreateMembership(b.t.Context(), db.CreateMembershipParams{OrganizationID: other.id, UserID: p.id, Role: string(role)}))
	}
	other.newTeam("カスタマーサクセス")
	for _, c := range cycles {
		b.exec("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, state, changed_by) SELECT $1, $2, name, starts_on, ends_on, state, changed_by FROM cycles WHERE id = $3", other.id, db.NewID(), c)
	}
	there := &person{bundle: &other, id: b.admin.id, name: "admin elsewhere", email: b.admin.email}
	there.token, _ = other.session(other.id, b.admin.id)
	return there
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// withoutIDs has the ids of an export numbered in the order in which they come up, but those in texts, of which there are none.
func withoutIDs(file string) string {
	numbers := map[string]string{}
	return anyID.ReplaceAllStringFunc(file, func(id string) string {
		if _, ok := numbers[id]; !ok {
			numbers[id] = "#" + strconv.Itoa(len(numbers))
		}
		return numbers[id]
	})
}

// TestARoundTrip brings objectives of any content in, takes them out, brings that into an empty organisation, and takes it out there: the files are the same.
func TestARoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	texts := rapid.OneOf(rapid.StringMatching(`[=+@'\-]{0,2}[a-z"',;|売上🎯 \n]{0,12}x`), rapid.StringMatching(`[^\x00\r\n]{0,8}y`))
	text := rapid.Map(texts, func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\uFFFD", "") })
	number := rapid.Map(rapid.IntRange(-2_000_000, 2_000_000), func(n int) string { return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64) })
	rapid.Check(t, func(r *rapid.T) {
		cycle := b.newCycle("active", -30, 60)
		var rows []map[string]string
		objectives := rapid.IntRange(1, 5).Draw(r, "objectives")
		for o := range objectives {
			row := map[string]string{"objective_id": fmt.Sprint("o", o), "objective": text.Draw(r, "title"), "objective_description": rapid.OneOf(text, rapid.Just("")).Draw(r, "description"),
				"kind": rapid.SampledFrom([]string{"committed", "aspirational"}).Draw(r, "kind"), "visibility": rapid.SampledFrom([]string{"organization", "team", "private"}).Draw(r, "visibility"),
				"state": rapid.SampledFrom([]string{"draft", "submitted", "approved", "closed"}).Draw(r, "state"), "archived": rapid.SampledFrom([]string{"true", "false"}).Draw(r, "archived"),
				"owner": rapid.SampledFrom([]string{b.author.email, b.lead.email, b.admin.email}).Draw(r, "owner"), "team": "カスタマーサクセス"}
			if row["state"] == "closed" {
				row["score"] = rapid.SampledFrom([]string{"0", "0.7", "1"}).Draw(r, "score")
			}
			if o > 0 && rapid.Bool().Draw(r, "aligned") {
				row["parent_objective"] = fmt.Sprint("o", rapid.IntRange(0, o-1).Draw(r, "parent"))
			}
			keyResults := rapid.IntRange(0, 3).Draw(r, "key results")
			for k := range keyResults {
				of := map[string]string{"key_result_id": fmt.Sprint("o", o, "k", k), "key_result": text.Draw(r, "key result"), "key_result_owner": rapid.SampledFrom([]string{"", b.author.email}).Draw(r, "key result owner"),
					"unit": rapid.SampledFrom([]string{"", "人", "%", "=1"}).Draw(r, "unit"), "weight": rapid.SampledFrom([]string{"1", "0.5", "2.125"}).Draw(r, "weight")}
				kind := rapid.SampledFrom([]string{"metric", "threshold", "milestone"}).Draw(r, "measure")
				of["key_result_kind"] = kind
				switch kind {
				case "metric":
					of["baseline"], of["target"] = number.Draw(r, "baseline"), "3000000.5"
					of["stretch"] = rapid.SampledFrom([]string{"", "4000000"}).Draw(r, "stretch")
				case "threshold":
					of["at_least"], of["at_most"] = number.Draw(r, "at least"), "3000000"
				default:
					of["steps"] = "Plan\nBuild [2]\nSell"
				}
				for f, v := range row {
					of[f] = v
				}
				counts := row["state"] == "approved" || row["state"] == "closed"
				checkIns := 0
				if counts {
					checkIns = rapid.IntRange(0, 3).Draw(r, "check-ins")
				}
				if checkIns == 0 {
					rows = append(rows, of)
				}
				for c := range checkIns {
					in := map[string]string{"check_in_id": fmt.Sprint("o", o, "k", k, "c", c), "confidence": strconv.Itoa(rapid.IntRange(0, 10).Draw(r, "confidence")),
						"note": rapid.OneOf(text, rapid.Just("")).Draw(r, "note"), "checked_at": time.Date(2026, 10, 1+c, 3, 4, 5, 678000, time.UTC).Format(time.RFC3339Nano), "checked_by": b.author.email}
					if kind == "milestone" {
						in["done_steps"] = rapid.SampledFrom([]string{"", "2", "1 3"}).Draw(r, "done")
					} else {
						in["value"] = number.Draw(r, "value")
					}
					for f, v := range of {
						in[f] = v
					}
					rows = append(rows, in)
				}
			}
			if keyResults == 0 {
				rows = append(rows, row)
			}
		}
		// All columns that an export has, so that the file is taken for this program's own and nothing is trimmed.
		for _, column := range []string{"parent_objective", "parent_key_result", "key_result_id", "check_in_id"} {
			if _, there := rows[0][column]; !there {
				rows[0][column] = ""
			}
		}
		file, err := json.Marshal(rows)
		require.NoError(r, err)
		brought := into[api.Import](b.admin.send(http.MethodPost, "/imports", file).is(http.StatusCreated))
		require.Equal(r, "kakeai", brought.Layout)
		brought = into[api.Import](b.admin.send(http.MethodPatch, importPath(brought.ID), fields{"revision": brought.Revision, "cycle_id": cycle, "source": "r" + brought.ID.String()}).is(http.StatusOK))
		done := b.admin.works(brought, "run")
		require.Equal(r, api.ImportState(intake.Done), done.State, "%v %s", b.admin.reasons(done), file)

		format := rapid.SampledFrom([]string{"csv", "json"}).Draw(r, "format")
		exported := func(p *person, query string) string {
			return string(p.send(http.MethodGet, "/export?format="+format+query, nil).is(http.StatusOK).body)
		}
		out := exported(b.admin, "&cycle_id="+cycle.String())
		contentType := header{"Content-Type", map[string]string{"csv": "text/csv", "json": "application/json"}[format]}
		there := b.inOrganization([]uuid.UUID{cycle})
		carried := into[api.Import](there.send(http.MethodPost, "/imports", out, contentType).is(http.StatusCreated))
		ran := there.works(carried, "run")
		require.Equal(r, api.ImportState(intake.Done), ran.State, "%v %s", there.reasons(ran), out)
		require.Equal(r, withoutIDs(out), withoutIDs(exported(there, "")))

		again := there.works(into[api.Import](there.send(http.MethodPost, "/imports", out, contentType).is(http.StatusCreated)), "run")
		require.Equal(r, ran.Rows.Create, again.Rows.Same, "the same file again: %v", there.reasons(again))
		here := b.admin.works(into[api.Import](b.admin.send(http.MethodPost, "/imports", out, contentType).is(http.StatusCreated)), "run")
		require.Equal(r, ran.Rows.Create, here.Rows.Same, "back to where it came from: %v", b.admin.reasons(here))
	})
}
