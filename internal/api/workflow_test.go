package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

// life is what the rules say of every action in every state: who may take it, and where it leads. What is not here is refused.
var life = map[string]map[string]struct {
	to string
	by []string
}{
	"draft":     {"submit": {"submitted", []string{"author"}}, "archive": {"archived", []string{"author", "lead", "admin", "owner"}}},
	"submitted": {"return": {"draft", []string{"lead", "admin", "owner"}}, "approve": {"approved", []string{"lead", "admin", "owner"}}, "archive": {"archived", []string{"author", "lead", "admin", "owner"}}},
	"approved":  {"revise": {"draft", []string{"lead", "admin", "owner"}}, "close": {"closed", []string{"author", "lead", "admin", "owner"}}, "archive": {"archived", []string{"author", "lead", "admin", "owner"}}},
	"closed":    {"reopen": {"approved", []string{"lead", "admin", "owner"}}, "archive": {"archived", []string{"author", "lead", "admin", "owner"}}},
	"archived":  {"restore": {"draft", []string{"author", "lead", "admin", "owner"}}},
}

// everOpen says who may take an action in some state: they are told which state it is, everybody else that it is not theirs.
func everOpen(action string) (by []string) {
	for _, actions := range life {
		by = append(by, actions[action].by...)
	}
	return by
}

func TestTheLifeOfAnObjective(t *testing.T) {
	t.Parallel()
	for state := range life {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			people := map[string]*person{"viewer": b.viewer, "member": b.member, "teammate": b.teammate, "author": b.author, "lead": b.lead, "admin": b.admin, "owner": b.owner}
			for _, do := range []string{"submit", "approve", "return", "revise", "close", "reopen", "archive", "restore"} {
				for name, p := range people {
					o := b.author.draft()
					if state == "archived" {
						b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", o.ID)
					} else {
						b.put(o.ID, state)
					}
					rule := life[state][do]
					assert.Equal(t, slices.Contains(rule.by, name), slices.Contains(texts(get[api.Objective](p, objective(o.ID)).Actions), do), "%s is shown to take %s of %s", name, do, state)
					before := b.stateOf(o)
					a := p.send(http.MethodPost, action(o.ID, do), fields{"revision": 1, "note": "理由"})
					switch {
					case slices.Contains(rule.by, name):
						a.is(http.StatusOK)
						assert.Equal(t, rule.to, b.stateOf(o), "%s: %s of %s", a.what, do, state)
						assert.EqualValues(t, 2, into[api.Objective](a).Revision)
					case slices.Contains(everOpen(do), name):
						a.refused(http.StatusConflict, "wrong-state")
						assert.Equal(t, before, b.stateOf(o))
					default:
						a.refused(http.StatusForbidden, "not-allowed")
						assert.Equal(t, before, b.stateOf(o))
					}
				}
			}
		})
	}
}

func texts[T ~string](list []T) (out []string) {
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

func (b *bundle) stateOf(o api.Objective) string {
	b.t.Helper()
	return value[string](b, "SELECT CASE WHEN archived_at IS NULL THEN state ELSE 'archived' END FROM objectives WHERE id = $1", o.ID)
}

func TestArchivingKeepsTheState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, state := range []string{"draft", "submitted", "approved", "closed"} {
		o := b.author.draft()
		b.put(o.ID, state)
		before := get[api.Objective](b.author, objective(o.ID))
		away := into[api.Objective](b.author.send(http.MethodPost, action(o.ID, "archive"), fields{"revision": 1}).is(http.StatusOK))
		assert.True(t, away.Archived)
		assert.EqualValues(t, state, away.State)
		b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 2, "title": "別の題"}).refused(http.StatusConflict, "wrong-state")
		back := into[api.Objective](b.author.send(http.MethodPost, action(o.ID, "restore"), fields{"revision": 2}).is(http.StatusOK))
		assert.False(t, back.Archived)
		assert.EqualValues(t, state, back.State)
		assert.Equal(t, before.Score, back.Score)
	}
}

func TestSubmittingNeedsAKeyResult(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": nil})
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 1}).refused(http.StatusUnprocessableEntity, "invalid", "/key_results")
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "key_results": []fields{metric("NPS")}}).is(http.StatusOK)
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 2, "key_results": []fields{}}).is(http.StatusOK)
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 3}).refused(http.StatusUnprocessableEntity, "invalid", "/key_results") // archived ones do not count
}

func TestReturningNeedsANote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.put(o.ID, "submitted")
	for _, note := range []any{nil, " \n　"} {
		a := b.lead.send(http.MethodPost, action(o.ID, "return"), fields{"revision": 1, "note": note})
		if note == nil {
			a = b.lead.send(http.MethodPost, action(o.ID, "return"), fields{"revision": 1})
		}
		a.refused(http.StatusUnprocessableEntity, "invalid", "/note")
	}
	b.lead.send(http.MethodPost, action(o.ID, "return"), fields{"revision": 1, "note": "目標値の根拠を追記してください。"}).is(http.StatusOK)
	entry := get[api.HistoryPage](b.viewer, objective(o.ID)+"/history").Items[0]
	assert.Equal(t, "objective.returned", entry.Action)
	assert.Equal(t, pointer("目標値の根拠を追記してください。"), entry.Note)
	assert.Equal(t, b.lead.id, entry.ChangedBy.ID)
}

func TestClosingJudges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind, value string // where its one key result, from 0 to 100, stands
		body        fields
		status      int
		pointers    []string
		score       string
	}{
		"committed and reached":             {"committed", "100", fields{}, 200, nil, "1"},
		"committed and surpassed":           {"committed", "250", fields{}, 200, nil, "1"},
		"committed, not reached":            {"committed", "94", fields{}, 422, []string{"/note"}, ""},
		"committed, not reached, explained": {"committed", "94", fields{"note": "理由"}, 200, nil, "0.9"},
		"rounded half up":                   {"committed", "95", fields{"note": "理由"}, 200, nil, "1"},
		"aspirational as it stands":         {"aspirational", "64", fields{}, 200, nil, "0.6"},
		"aspirational, said again":          {"aspirational", "65", fields{"score": "0.7"}, 200, nil, "0.7"},
		"another score":                     {"aspirational", "64", fields{"score": "0.7"}, 422, []string{"/note"}, ""},
		"another score, explained":          {"aspirational", "64", fields{"score": "0.7", "note": "理由"}, 200, nil, "0.7"},
		"below the start":                   {"aspirational", "-50", fields{}, 200, nil, "0"},
		"two decimals":                      {"aspirational", "64", fields{"score": "0.65", "note": "理由"}, 422, []string{"/score"}, ""},
		"above one":                         {"aspirational", "64", fields{"score": "1.1", "note": "理由"}, 422, []string{"/score"}, ""},
		"blank note":                        {"aspirational", "64", fields{"score": "0.7", "note": "　"}, 422, []string{"/note"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o := b.author.approved(fields{"kind": c.kind})
			b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": c.value, "confidence": 5}).is(http.StatusCreated)
			a := b.author.send(http.MethodPost, action(o.ID, "close"), with(c.body, "revision", 1))
			if c.status != http.StatusOK {
				a.is(c.status)
				for _, pointer := range c.pointers {
					assert.Contains(t, a.problem().pointers(), pointer)
				}
				assert.Equal(t, "approved", b.stateOf(o))
				return
			}
			closed := into[api.Objective](a.is(http.StatusOK))
			assert.Equal(t, c.score, closed.Score.String())
			b.lead.send(http.MethodPost, action(o.ID, "reopen"), fields{"revision": 2, "score": "0.5"}).refused(http.StatusUnprocessableEntity, "invalid", "/score")
			open := into[api.Objective](b.lead.send(http.MethodPost, action(o.ID, "reopen"), fields{"revision": 2}).is(http.StatusOK))
			assert.Nil(t, open.Score)
		})
	}
}

// Who owns, who wrote and who reviews decides who may approve, and whether the audit has to say that it was their own.
func TestAuthorsDoNotApproveTheirOwnUnlessNobodyElseCould(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrange func(b *bundle) (o api.Objective, by *person)
		status  int
		self    bool
	}{
		"a member's, by the lead": {func(b *bundle) (api.Objective, *person) { return b.author.draft(), b.lead }, 200, false},
		"the only lead's own":     {func(b *bundle) (api.Objective, *person) { return b.lead.draft(), b.lead }, 200, true},
		"one of two leads' own": {func(b *bundle) (api.Objective, *person) {
			b.place(b.team, b.joins(b.id, "second lead", auth.Member), auth.TeamLead)
			return b.lead.draft(), b.lead
		}, 403, false},
		"where the other lead is suspended": {func(b *bundle) (api.Objective, *person) {
			b.place(b.team, b.suspended, auth.TeamLead)
			return b.lead.draft(), b.lead
		}, 200, true},
		"an admin's own, where there is a lead": {func(b *bundle) (api.Objective, *person) { return b.admin.draft(), b.admin }, 403, false},
		"an admin's own, without a team":        {func(b *bundle) (api.Objective, *person) { return b.admin.draft(fields{"team_id": nil}), b.admin }, 403, false},
		"the only administrator's own, without a team": {func(b *bundle) (api.Objective, *person) {
			b.exec("UPDATE memberships SET role = 'member' WHERE user_id = $1", b.admin.id)
			return b.owner.draft(fields{"team_id": nil}), b.owner
		}, 200, true},
		"written by an admin for a member, by that admin": {func(b *bundle) (api.Objective, *person) {
			return b.admin.draft(fields{"owner_id": b.author.id}), b.admin
		}, 403, false},
		"written by an admin for a member, by the lead": {func(b *bundle) (api.Objective, *person) {
			return b.admin.draft(fields{"owner_id": b.author.id}), b.lead
		}, 200, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o, by := c.arrange(b)
			b.put(o.ID, "submitted")
			a := by.send(http.MethodPost, action(o.ID, "approve"), fields{"revision": 1})
			if c.status == http.StatusForbidden {
				a.refused(http.StatusForbidden, "not-allowed")
				return
			}
			a.is(http.StatusOK)
			assert.Equal(t, c.self, value[bool](b, "SELECT coalesce((detail->>'self_approval')::bool, false) FROM audit_events WHERE target_id = $1 AND action = 'objective.approved'", o.ID))
		})
	}
}

func TestWhoEditsInWhichState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for state, who := range map[string][]*person{
		"draft": {b.author, b.lead, b.admin, b.owner}, "submitted": {b.author, b.lead, b.admin, b.owner}, "approved": {b.lead, b.admin, b.owner}, "closed": nil,
	} {
		for _, p := range []*person{b.author, b.lead, b.admin, b.owner} {
			o := b.author.draft()
			b.put(o.ID, state)
			assert.Equal(t, slices.Contains(who, p), get[api.Objective](p, objective(o.ID)).MayEdit, "%s of %s", p.name, state)
			a := p.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "新しい題"})
			if slices.Contains(who, p) {
				a.is(http.StatusOK)
				continue
			}
			problem := a.refused(http.StatusConflict, "wrong-state")
			assert.Equal(t, state, (*problem.Present).(fields)["state"])
		}
	}
}

func TestDraftsAreMadeUntilTheCycleCloses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for state, status := range map[string]int{"preparation": 201, "active": 201, "closed": 409} {
		a := b.author.send(http.MethodPost, "/objectives", fields{"cycle_id": b.newCycle(state, -10, 10), "title": "題"})
		assert.Equal(t, status, a.status, "%s: %s", state, a.body)
	}
}
