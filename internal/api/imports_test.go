package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
)

func TestAFileIsReadAndShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.admin.brings("\xEF\xBB\xBF目標;担当者;成果指標;目標値;何か\r\n出荷する;" + b.author.email + ";利用者;１００;x\r\n")
	assert.Equal(t, "utf-8", i.Encoding)
	assert.Equal(t, ";", i.Separator)
	assert.Equal(t, "other", i.Layout)
	var means []api.ImportField
	for _, c := range i.Columns {
		means = append(means, c.Field)
	}
	assert.Equal(t, []api.ImportField{"objective", "owner", "key_result", "target", ""}, means)
	require.NotNil(t, i.Columns[4].Ignored)
	shown := get[api.Import](b.admin, importPath(i.ID))
	assert.Equal(t, [][]string{{"出荷する", b.author.email, "利用者", "１００", "x"}}, *shown.Sample)
	assert.Equal(t, api.ImportState(intake.Uploaded), shown.State)
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for code, file := range map[string]string{
		"workbook": "PK\x03\x04rest", "empty": "Objective\r\n", "not-text": "Objective\r\na\x00b\r\n", "quotation-mark": "Objective,KR\r\na\"b,c\r\n",
		"too-many-cells": "Objective\r\na,b\r\n",
	} {
		a := b.admin.send(http.MethodPost, "/imports", file, csvType()).is(http.StatusUnprocessableEntity)
		a.code("", code)
		assert.NotContains(t, string(a.body), "..", code)
	}
	b.admin.send(http.MethodPost, "/imports", `[{"objective": {"deep": 1}}]`).is(http.StatusUnprocessableEntity).code("", "json")
	b.viewer.send(http.MethodPost, "/imports", smallFile, csvType()).refused(http.StatusForbidden, "not-allowed")
	assert.Equal(t, 6, value[int](b, "SELECT count(*) FROM imports WHERE state = 'failed' AND failure IS NOT NULL"))
}

func TestNothingIsHalfImported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "Objective,Owner,Key result,Start,Target\r\n" +
		"Ship it," + b.author.email + ",Users,0,100\r\n" +
		"Ship it," + b.author.email + ",Errors,50,many\r\n" +
		"Sell it,nobody@example.com,Revenue,0,5\r\n" +
		"Tell it," + b.author.email + ",Readers,7,7\r\n"
	i := b.admin.inCycle(b.admin.brings(file), b.cycle, nil)
	before := b.content("imports", "import_rows", "import_entities", "audit_events", "outbox_events")
	checked := b.admin.works(i, "check")
	assert.Equal(t, api.ImportState(intake.Checked), checked.State)
	assert.Equal(t, api.ImportCounts{Create: 1, Refused: 3}, *checked.Rows)
	assert.Equal(t, map[int]map[string]string{2: {"Target": "number"}, 3: {"Owner": "not-found"}, 4: {"Target": "baseline-equals-target"}}, b.admin.reasons(checked))

	ran := b.admin.works(checked, "run")
	require.Equal(t, api.ImportState(intake.Checked), ran.State)
	assert.Equal(t, intake.FailureRows, *ran.Failure)
	assert.Equal(t, before, b.content("imports", "import_rows", "import_entities", "audit_events", "outbox_events"), "nothing may be written")

	asked := b.admin.inCycle(ran, b.cycle, fields{"good_rows_only": true})
	done := b.admin.works(asked, "run")
	assert.Equal(t, api.ImportState(intake.Done), done.State)
	assert.Equal(t, []string{"Ship it", "Tell it"}, b.objectivesOf(b.cycle), "an objective is good although a key result of it is not")
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM key_results"))
}

func TestTheSameFileTwiceMakesNothingNew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := func(target, title string) string {
		return "objective id,Objective,Owner,Team,Visibility,KR,Start,Target,Unit\n" +
			"o-1," + title + "," + b.author.email + ",カスタマーサクセス,team,Users,0," + target + ",人\n" +
			"o-1," + title + "," + b.author.email + ",カスタマーサクセス,team,Churn,5,2,%\n" +
			"o-2,Sell it," + b.lead.email + ",,organization,,,,\n"
	}
	first := b.admin.works(b.admin.inCycle(b.admin.brings(file("100", "Ship it")), b.cycle, nil), "run")
	require.Equal(t, api.ImportState(intake.Done), first.State, "%v", b.admin.reasons(first))
	assert.Equal(t, api.ImportCounts{Create: 2}, *first.Objectives)
	assert.Equal(t, api.ImportCounts{Create: 2}, *first.KeyResults)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM objective_history"))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'objective.created' AND detail ? 'import_id'"))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = 'objective.created'"))

	second := b.admin.works(b.admin.inCycle(b.admin.brings(file("100", "Ship it")), b.cycle, nil), "run")
	require.Equal(t, api.ImportState(intake.Done), second.State)
	assert.Equal(t, api.ImportCounts{Same: 3}, *second.Rows)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM objectives"))

	third := b.admin.works(b.admin.inCycle(b.admin.brings(file("120", "Ship it now")), b.cycle, nil), "run")
	require.Equal(t, api.ImportState(intake.Done), third.State)
	assert.Equal(t, api.ImportCounts{Update: 1, Same: 1}, *third.Objectives)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM objectives"))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM key_results"))
	assert.Equal(t, "Ship it now", value[string](b, "SELECT content->>'title' FROM objective_history WHERE revision = 2"))
	id := value[string](b, "SELECT id::text FROM objectives WHERE title = 'Ship it now'")
	o := get[api.Objective](b.author, "/objectives/"+id)
	assert.Equal(t, "120", o.KeyResults[0].Target.String())
	assert.Equal(t, int64(2), o.Revision)
}

func TestRowsMayStandInAnyOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "objective_id,objective,parent_objective,parent_key_result,key_result_id,key_result,target\n" +
		"c,Child,a,ka,,,\n" +
		"b,Loop one,d,,,,\n" +
		"d,Loop two,b,,,,\n" +
		"e,Below the loop,b,,,,\n" +
		"f,Below nothing,zzz,,,,\n" +
		"a,Top,,,ka,Users,10\n"
	i := b.admin.inCycle(b.admin.brings(file), b.cycle, fields{"good_rows_only": true})
	done := b.admin.works(i, "run")
	require.Equal(t, api.ImportState(intake.Done), done.State)
	reasons := b.admin.reasons(done)
	assert.Equal(t, "alignment-loop", reasons[2]["parent_objective"])
	assert.Equal(t, "alignment-loop", reasons[3]["parent_objective"])
	assert.Contains(t, reasons, 4)
	assert.Equal(t, "not-found", reasons[5]["parent_objective"])
	assert.Equal(t, []string{"Child", "Top"}, b.objectivesOf(b.cycle))
	assert.Equal(t, "Top", value[string](b, "SELECT p.title FROM objectives AS o JOIN objectives AS p ON p.id = o.parent_objective_id WHERE o.title = 'Child'"))
	assert.Equal(t, "Users", value[string](b, "SELECT k.title FROM objectives AS o JOIN key_results AS k ON k.id = o.parent_key_result_id WHERE o.title = 'Child'"))
	assert.Equal(t, value[string](b, "SELECT parent_objective_id::text FROM objectives WHERE title = 'Child'"),
		value[string](b, "SELECT content->>'parent_objective_id' FROM objective_history AS h JOIN objectives AS o ON o.id = h.objective_id WHERE o.title = 'Child'"))
}

func TestMembersBringTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "Objective,Owner,State,Team\n" +
		"Mine,,,\n" +
		"Another's," + b.author.email + ",,\n" +
		"Approved by me,,approved,\n" +
		"Of my team," + b.author.email + ",,カスタマーサクセス\n"
	mine := b.member.works(b.member.inCycle(b.member.brings(file), b.cycle, nil), "check")
	assert.Equal(t, map[int]map[string]string{2: {"Owner": "not-allowed"}, 3: {"State": "not-allowed"}, 4: {"Owner": "not-allowed"}}, b.member.reasons(mine))
	led := b.lead.works(b.lead.inCycle(b.lead.brings(file), b.cycle, nil), "check")
	assert.Equal(t, map[int]map[string]string{2: {"Owner": "not-allowed"}, 3: {"State": "not-allowed"}}, b.lead.reasons(led))
	b.lead.send(http.MethodGet, importPath(mine.ID), nil).is(http.StatusNotFound)
	b.admin.send(http.MethodGet, importPath(mine.ID), nil).is(http.StatusOK)
	assert.Len(t, get[api.ImportPage](b.lead, "/imports").Items, 1)
	assert.Len(t, get[api.ImportPage](b.admin, "/imports").Items, 2)

	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.member.id)
	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", b.member.id)
	running := into[api.Import](b.member.send(http.MethodPost, importPath(mine.ID)+"/run", fields{"revision": mine.Revision}).is(http.StatusAccepted))
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.member.id)
	b.carryOutImport(running.ID, -1)
	ended := get[api.Import](b.admin, importPath(running.ID))
	assert.Equal(t, intake.FailureNotAllowed, *ended.Failure)
}

func TestHistoryComesWithItsCheckIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "Objective,State,Score,Key result,Start,Target,Value,Confidence,Check-in date,Check-in by,Note\n" +
		"Ship it,closed,0.7,Users,0,100,40,7,2026/10/05," + b.author.email + ",\"going\nwell\"\n" +
		"Ship it,closed,0.7,Users,0,100,70,6,2026年11月2日,,\n" +
		"Draft it,,,Users,0,100,70,6,2026-11-02,,\n"
	i := b.admin.inCycle(b.admin.brings(file), b.cycle, fields{"good_rows_only": true})
	done := b.admin.works(i, "run")
	require.Equal(t, api.ImportState(intake.Done), done.State)
	assert.Equal(t, map[int]map[string]string{3: {"Value": "wrong-state"}}, b.admin.reasons(done))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM check_ins"))
	assert.Equal(t, "70", value[string](b, "SELECT trim_scale(current_value)::text FROM key_results WHERE current_check_in_id IS NOT NULL"))
	again := b.admin.works(b.admin.inCycle(b.admin.brings(file), b.cycle, fields{"good_rows_only": true}), "run")
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM check_ins"))
	assert.Equal(t, 2, again.CheckIns.Same)
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.admin.inCycle(b.admin.brings(smallFile+strings.Repeat("More,Users,1\r\n", 3)), b.cycle, nil)
	b.admin.send(http.MethodPost, importPath(i.ID)+"/cancel", nil).refused(http.StatusConflict, "wrong-state")
	running := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted))
	b.admin.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": running.Revision}).refused(http.StatusConflict, "wrong-state")
	b.admin.send(http.MethodPatch, importPath(i.ID), fields{"revision": i.Revision, "good_rows_only": true}).refused(http.StatusConflict, "stale-revision")
	work := b.workOf(i.ID)
	b.carryOutImport(i.ID, 3)
	cancelled := into[api.Import](b.admin.send(http.MethodPost, importPath(i.ID)+"/cancel", nil).is(http.StatusOK))
	assert.Equal(t, api.ImportState(intake.Cancelled), cancelled.State)
	more, err := intake.NewWorker(b.store, nil).Step(t.Context(), b.id, work)
	require.NoError(t, err)
	assert.False(t, more)
	assert.Empty(t, b.objectivesOf(b.cycle))
	done := b.admin.works(cancelled, "run")
	assert.Equal(t, api.ImportState(intake.Done), done.State)
}
