package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

func roots(cycle uuid.UUID) string   { return "/cycles/" + cycle.String() + "/alignment" }
func children(id uuid.UUID) string   { return objective(id) + "/children" }
func pathTo(id uuid.UUID) string     { return objective(id) + "/path" }
func supports(id, other any) string  { return fmt.Sprintf("/objectives/%v/supports/%v", id, other) }
func supported(id uuid.UUID) string  { return objective(id) + "/supports" }
func supporters(id uuid.UUID) string { return supported(id) + "?direction=supporters" }
func nodeIDs(nodes []api.AlignmentNode) (ids []uuid.UUID) {
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

// linksByPath are the operations whose path is all that they say.
var linksByPath = map[string]bool{"SupportObjective": true, "StopSupporting": true}

// leaf drafts an objective without key results.
func (p *person) leaf(more ...fields) api.Objective {
	p.t.Helper()
	return p.draft(append([]fields{{"key_results": nil}}, more...)...)
}

// level reads a whole level of the alignment, page by page.
func (p *person) level(at string) (all []api.AlignmentNode) {
	p.t.Helper()
	for cursor := ""; ; {
		page := get[api.AlignmentPage](p, at+"limit=2"+cursor)
		require.LessOrEqual(p.t, len(page.Items), 2)
		all = append(all, page.Items...)
		if page.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}

func TestTheTreeIsReadLevelByLevel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	root := b.author.draft()
	child := b.author.draft(fields{"parent_objective_id": root.ID, "parent_key_result_id": root.KeyResults[0].ID})
	direct := b.author.leaf(fields{"parent_objective_id": root.ID})
	grandchild := b.author.leaf(fields{"parent_objective_id": child.ID, "parent_key_result_id": child.KeyResults[0].ID})
	alone := b.author.leaf()
	put := b.author.leaf(fields{"parent_objective_id": root.ID})
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", put.ID)
	beneath := b.author.leaf()
	b.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", beneath.ID, put.ID) // its parent was put away
	elsewhere := b.author.leaf(fields{"cycle_id": b.newCycle("active", 0, 9), "parent_objective_id": root.ID})

	nodes := b.viewer.level(roots(b.cycle) + "?")
	assert.Equal(t, []uuid.UUID{root.ID, alone.ID, beneath.ID}, nodeIDs(nodes), "those without a parent, then those whose parent is not in this tree")
	assert.Equal(t, 3, nodes[0].ChildCount)
	assert.False(t, nodes[0].MoreChildren)
	assert.Equal(t, put.ID, *nodes[2].ParentObjectiveID)
	assert.Equal(t, []uuid.UUID{elsewhere.ID}, nodeIDs(b.viewer.level(roots(elsewhere.CycleID)+"?")), "its parent is of another cycle")

	nodes = b.viewer.level(children(root.ID) + "?")
	assert.Equal(t, []uuid.UUID{child.ID, direct.ID, elsewhere.ID}, nodeIDs(nodes))
	assert.Equal(t, 1, nodes[0].ChildCount)
	assert.Equal(t, root.KeyResults[0].ID, *nodes[0].ParentKeyResultID)
	assert.Equal(t, &api.NamedKeyResult{ID: root.KeyResults[0].ID, Title: root.KeyResults[0].Title}, nodes[0].ParentKeyResult)
	assert.Nil(t, nodes[1].ParentKeyResult)
	assert.Equal(t, []uuid.UUID{child.ID}, nodeIDs(b.viewer.level(children(root.ID)+"?key_result_id="+root.KeyResults[0].ID.String()+"&")))
	b.viewer.send(http.MethodGet, children(root.ID)+"?key_result_id="+child.KeyResults[0].ID.String(), nil).is(http.StatusNotFound)

	steps := get[api.AlignmentPath](b.viewer, pathTo(grandchild.ID)).Steps
	require.Len(t, steps, 3)
	assert.Equal(t, []uuid.UUID{root.ID, child.ID, grandchild.ID}, []uuid.UUID{*steps[0].ID, *steps[1].ID, *steps[2].ID})
	assert.Nil(t, steps[0].KeyResult)
	assert.Equal(t, root.KeyResults[0].ID, steps[1].KeyResult.ID)
	assert.Equal(t, "NPS", steps[2].KeyResult.Title)
}

// As TestPagesCoverEverythingOnce, for the lists of the alignment.
func TestPagesOfTheAlignmentCoverEverythingOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent, o := b.author.leaf(), b.author.leaf()
	for name, l := range map[string]growing{
		"newest":    {"/objectives?order=newest&", b.viewer, func() { b.author.leaf() }, true},
		"by text":   {"/objectives?text=お客さま&", b.viewer, func() { b.author.leaf() }, false},
		"by health": {"/objectives?health=pending&", b.viewer, func() { b.author.leaf() }, false},
		"roots":     {roots(b.cycle) + "?", b.viewer, func() { b.author.leaf() }, false},
		"children":  {children(parent.ID) + "?", b.viewer, func() { b.author.leaf(fields{"parent_objective_id": parent.ID}) }, false},
		"supported": {supported(o.ID) + "?", b.viewer, func() {
			b.author.send(http.MethodPut, supports(o.ID, b.author.leaf().ID), nil).is(http.StatusNoContent)
		}, false},
		"supporters": {supporters(o.ID) + "&", b.viewer, func() {
			b.author.send(http.MethodPut, supports(b.author.leaf().ID, o.ID), nil).is(http.StatusNoContent)
		}, false},
	} {
		l.pagedOnce(t, name)
	}
}

func TestAHiddenParentIsNotGivenAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	top := b.author.leaf()
	secret := b.author.draft(fields{"visibility": "private", "title": "極秘の計画", "parent_objective_id": top.ID, "key_results": []fields{metric("極秘の指標")}})
	child := b.author.leaf(fields{"parent_objective_id": secret.ID, "parent_key_result_id": secret.KeyResults[0].ID})
	read := b.author.send(http.MethodGet, objective(child.ID), nil)
	b.author.send(http.MethodPatch, objective(child.ID), fields{"title": "見える"}, ifMatch(read.header.Get("ETag"))).is(http.StatusOK)

	for _, p := range []*person{b.author, b.lead, b.admin} {
		assert.Equal(t, []uuid.UUID{top.ID}, nodeIDs(p.level(roots(b.cycle)+"?")), p.name)
		assert.Equal(t, secret.ID, *get[api.Objective](p, objective(child.ID)).ParentObjectiveID, p.name)
	}
	nodes := b.member.level(roots(b.cycle) + "?")
	assert.Equal(t, []uuid.UUID{top.ID, child.ID}, nodeIDs(nodes), "to whom the parent is hidden, the child is a root")
	assert.True(t, nodes[1].ParentHidden)
	assert.Zero(t, nodes[0].ChildCount)
	steps := get[api.AlignmentPath](b.member, pathTo(child.ID)).Steps
	require.Len(t, steps, 3)
	assert.Equal(t, api.AlignmentStep{Hidden: true}, steps[1])
	assert.Equal(t, child.ID, *steps[2].ID)
	assert.True(t, *get[api.Objective](b.member, objective(child.ID)).ParentHidden)

	for _, at := range []string{objective(child.ID), objective(child.ID) + "/history", pathTo(child.ID), roots(b.cycle), "/objectives", "/objectives?parent_objective_id=" + top.ID.String(),
		children(top.ID), "/search?q=" + "見える", "/feed"} {
		a := b.member.send(http.MethodGet, at, nil).is(http.StatusOK)
		assert.NotContains(t, string(a.body), secret.ID.String(), at)
		assert.NotContains(t, string(a.body), secret.KeyResults[0].ID.String(), at)
		assert.NotContains(t, string(a.body), "極秘", at)
	}
	for _, at := range []string{children(secret.ID), pathTo(secret.ID), supported(secret.ID), "/objectives?parent_objective_id=" + secret.ID.String(), "/objectives?supports=" + secret.ID.String()} {
		b.member.send(http.MethodGet, at, nil).is(http.StatusNotFound)
	}
	assert.Contains(t, string(b.author.send(http.MethodGet, objective(child.ID)+"/history", nil).body), secret.ID.String(), "whoever sees the parent sees it in the history")
}

// Whoever edits an objective with a parent that is hidden from them leaves that parent where it is.
func TestAHiddenParentStaysWhenOthersEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret, child := b.author.leaf(fields{"visibility": "private"}), b.author.leaf()
	b.author.aligned(child.ID, secret.ID).is(http.StatusOK)
	b.exec("UPDATE objectives SET team_id = NULL, owner_id = $2 WHERE id = $1", secret.ID, b.owner.id)
	edited := into[api.Objective](b.author.send(http.MethodPatch, objective(child.ID), fields{"revision": 2, "title": "別の題"}).is(http.StatusOK))
	assert.True(t, *edited.ParentHidden)
	assert.Nil(t, edited.ParentObjectiveID)
	assert.Equal(t, secret.ID, value[uuid.UUID](b, "SELECT parent_objective_id FROM objectives WHERE id = $1", child.ID))
}

func TestANodeWithManyChildren(t *testing.T) {
	t.Parallel()
	b := setup(t)
	root := b.author.leaf()
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, parent_objective_id, title, visibility, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, $4, 'child ' || i, CASE WHEN i % 100 = 0 THEN 'organization' ELSE 'private' END, $3, $3 FROM generate_series(1, 10000) AS i`, b.id, b.cycle, b.author.id, root.ID)
	node := get[api.AlignmentPage](b.author, roots(b.cycle)).Items[0]
	assert.Equal(t, 200, node.ChildCount)
	assert.True(t, node.MoreChildren)
	assert.Len(t, get[api.AlignmentPage](b.author, children(root.ID)).Items, 50)
	pages, seen := 0, 0
	for cursor := "?"; cursor != ""; pages++ {
		page := get[api.AlignmentPage](b.viewer, children(root.ID)+cursor)
		seen, cursor = seen+len(page.Items), ""
		if page.NextCursor != nil {
			cursor = "?cursor=" + *page.NextCursor
		}
	}
	assert.Equal(t, 100, seen, "every one of the few that are to be seen")
	assert.GreaterOrEqual(t, pages, 10, "a page looks at a thousand")
}

func TestAnObjectiveSupportsOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.author.leaf(), b.member.leaf(fields{"team_id": nil})
	events := value[int](b, "SELECT count(*) FROM outbox_events")
	for range 2 {
		b.author.send(http.MethodPut, supports(one.ID, other.ID), nil).is(http.StatusNoContent)
	}
	assert.Equal(t, events+1, value[int](b, "SELECT count(*) FROM outbox_events"), "twice is once")
	assert.Equal(t, []string{other.ID.String()}, b.viewer.pages(supported(one.ID)+"?", func() {}))
	assert.Equal(t, []string{one.ID.String()}, b.viewer.pages(supporters(other.ID)+"&", func() {}))
	assert.Equal(t, []string{one.ID.String()}, b.viewer.pages("/objectives?supports="+other.ID.String(), func() {}))
	assert.Equal(t, one.Revision, get[api.Objective](b.author, objective(one.ID)).Revision, "it is no edit")

	// Each end is shown to whoever may see it, and to nobody else.
	b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", other.ID)
	assert.Empty(t, b.viewer.pages(supported(one.ID)+"?", func() {}))
	b.author.send(http.MethodDelete, supports(one.ID, other.ID), nil).is(http.StatusNoContent)
	b.author.send(http.MethodPut, supports(one.ID, other.ID), nil).is(http.StatusNotFound)
	b.author.send(http.MethodDelete, supports(one.ID, other.ID), nil).is(http.StatusNoContent)
	assert.Equal(t, []string{"objective.linked", "objective.unlinked"}, value[[]string](b, "SELECT array_agg(action ORDER BY id) FROM audit_events WHERE action LIKE 'objective.%link%'"))

	b.author.send(http.MethodPut, supports(one.ID, one.ID), nil).refused(http.StatusUnprocessableEntity, "invalid", "/path/supported_id")
	b.teammate.send(http.MethodPut, supports(one.ID, b.author.leaf().ID), nil).is(http.StatusForbidden)
	b.put(one.ID, "closed")
	b.author.send(http.MethodPut, supports(one.ID, b.author.leaf().ID), nil).is(http.StatusConflict)
}

// Two at once do not pass the bound together: the objective that supports is held.
func TestAnObjectiveSupportsSoManyAndNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.author.leaf()
	b.exec(`WITH made AS (INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
			SELECT $1, gen_random_uuid(), $2, $3, 'x', $3, $3 FROM generate_series(1, 49) RETURNING id)
		SELECT count(*) FROM made`, b.id, b.cycle, b.author.id)
	b.exec(`INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by) SELECT $1, $2, o.id, $3 FROM objectives AS o WHERE o.title = 'x'`, b.id, one.ID, b.author.id)
	wanted := []uuid.UUID{b.author.leaf().ID, b.author.leaf().ID}
	b.exec(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$`)
	b.exec("CREATE TRIGGER wait_here BEFORE INSERT ON objective_links FOR EACH ROW EXECUTE FUNCTION wait_here()")
	_, release := b.holds("SELECT pg_advisory_xact_lock(42)")
	statuses := make(chan int, 2)
	for i, id := range wanted {
		go func() {
			a, err := b.author.try(http.MethodPut, supports(one.ID, id), nil)
			assert.NoError(t, err)
			statuses <- a.status
		}()
		b.awaitBlocked(i + 1)
	}
	release()
	assert.ElementsMatch(t, []int{http.StatusNoContent, http.StatusUnprocessableEntity}, []int{<-statuses, <-statuses})
	assert.Equal(t, 50, value[int](b, "SELECT count(*) FROM objective_links"))
}

func TestListsByWhatIsAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	far, near := b.author.approved(fields{"title": "B 売上を伸ばす"}), b.author.approved(fields{"title": "A 解約を減らす"})
	fresh := b.author.leaf(fields{"title": "C 解約の理由"})
	b.exec("UPDATE key_results SET current_check_in_id = $1, current_value = 100, current_at = now() WHERE objective_id = $2", uuid.New(), near.ID)
	b.compute(far.ID, near.ID, fresh.ID)
	for query, want := range map[string][]uuid.UUID{
		"?order=least-progress&cycle_id=" + b.cycle.String():                 {far.ID, near.ID}, // drafts have none
		"?order=most-progress&cycle_id=" + b.cycle.String():                  {near.ID, far.ID},
		"?order=most-progress&text=売上&cycle_id=" + b.cycle.String():          {far.ID},
		"?order=least-progress&health=on_track&cycle_id=" + b.cycle.String(): {near.ID},
		"?":             {far.ID, near.ID, fresh.ID},
		"?order=newest": {fresh.ID, near.ID, far.ID},
		"?order=title&cycle_id=" + b.cycle.String():         {near.ID, far.ID, fresh.ID},
		"?order=newest&cycle_id=" + b.cycle.String():        {fresh.ID, near.ID, far.ID},
		"?order=newest&team_id=" + b.team.String():          {fresh.ID, near.ID, far.ID},
		"?order=newest&owner_id=" + b.author.id.String():    {fresh.ID, near.ID, far.ID},
		"?health=on_track":                                  {near.ID},
		"?health=pending":                                   {far.ID, fresh.ID},
		"?outdated=true":                                    {},
		"?text=解約":                                          {near.ID, fresh.ID},
		"?text=解約&order=newest":                             {fresh.ID, near.ID},
		"?text=解約&order=title&cycle_id=" + b.cycle.String(): {near.ID, fresh.ID},
		"?text=解約&state=draft":                              {fresh.ID},
		"?text=nps":                                         {far.ID, near.ID},
		"?text=np+売上":                                       {far.ID},
		"?text=!":                                           {},
		"?text=解約&health=pending":                           {fresh.ID},
		"?owner_id=" + b.member.id.String():                 {},
	} {
		var ids []uuid.UUID
		for _, id := range b.viewer.pages("/objectives"+query+"&limit=1", func() {}) {
			ids = append(ids, uuid.MustParse(id))
		}
		assert.Equal(t, len(want), len(ids), query)
		if len(want) > 0 {
			assert.Equal(t, want, ids, query)
		}
	}
	for _, query := range []string{"?order=least-progress", "?order=most-progress&cycle_id=" + b.cycle.String() + "&team_id=" + b.team.String(), "?order=title", "?order=title&cycle_id=" + b.cycle.String() + "&owner_id=" + b.author.id.String(), "?order=newest&supports=" + far.ID.String(),
		"?supports=" + far.ID.String() + "&parent_objective_id=" + far.ID.String()} {
		b.viewer.send(http.MethodGet, "/objectives"+query, nil).is(http.StatusBadRequest)
	}
}

// However few objectives a filter lets through, one page looks at so many and no more, and those who page find them all.
func TestAListThatShowsLittleIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, visibility, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, 'hidden ' || i, 'private', $3, $3 FROM generate_series(1, 3000) AS i`, b.id, b.cycle, b.owner.id)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
		VALUES ($1, 'ffffffff-0000-7000-8000-000000000000', $2, $3, 'the last one', $3, $3)`, b.id, b.cycle, b.owner.id)
	pages, found := 0, 0
	for cursor := "?"; cursor != ""; pages++ {
		page := get[api.ObjectivePage](b.viewer, "/objectives"+cursor)
		found, cursor = found+len(page.Items), ""
		if page.NextCursor != nil {
			cursor = "?cursor=" + *page.NextCursor
		}
	}
	assert.Equal(t, 1, found)
	assert.Equal(t, 4, pages, "a thousand are looked at for each page")
}

// visibilities are who may see what: the rows of the matrix, by the names of the people.
var visibilities = map[string][]string{
	"organization": {"owner", "admin", "lead", "author", "teammate", "member", "viewer"},
	"team":         {"owner", "admin", "lead", "author", "teammate"},
	"private":      {"owner", "admin", "lead", "author"},
}

// Every way to read an objective, for everybody, in each visibility. What one may not see is not there: not by its id, in no list, in nothing found, in nobody's count.
func TestWhoSeesWhatWhereverTheyLook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for visibility, readers := range visibilities {
		parent := b.author.leaf(fields{"title": "上位の目標"})
		o := b.author.draft(fields{"title": "海底トンネルを掘る " + visibility, "parent_objective_id": parent.ID, "key_results": []fields{metric("掘削距離")}})
		child := b.author.leaf(fields{"title": "下位", "parent_objective_id": o.ID})
		other := b.author.leaf(fields{"title": "支える先"})
		b.author.send(http.MethodPut, supports(o.ID, other.ID), nil).is(http.StatusNoContent)
		b.author.send(http.MethodPut, supports(other.ID, o.ID), nil).is(http.StatusNoContent)
		b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "よし"}).is(http.StatusCreated)
		dialogue := b.author.dialogue(o.ID)
		job := b.author.job(dialogue)
		suggestion := b.suggest(o.ID, dialogue, retitle("提案"))
		b.exec("UPDATE objectives SET visibility = $2 WHERE id = $1", o.ID, visibility)
		b.deliver()
		b.exec("INSERT INTO objective_figures (organization_id, objective_id, cycle_id, counted) VALUES ($1, $2, $3, true) ON CONFLICT (organization_id, objective_id) DO UPDATE SET counted = true", b.id, o.ID, b.cycle)
		byID := []string{objective(o.ID), objective(o.ID) + "/history", objective(o.ID) + "/comments", objective(o.ID) + "/dialogues", checkIns(o.KeyResults[0].ID), "/dialogues/" + dialogue.String(),
			"/dialogues/" + dialogue.String() + "/messages", "/dialogues/" + dialogue.String() + "/jobs", "/dialogues/" + dialogue.String() + "/suggestions", "/jobs/" + job.ID.String(), "/suggestions/" + suggestion.String(),
			children(o.ID), pathTo(o.ID), supported(o.ID), "/objectives?parent_objective_id=" + o.ID.String(), "/objectives?supports=" + o.ID.String(), "/feed?objective_id=" + o.ID.String()}
		lists := []string{"/objectives?limit=200", "/objectives?limit=200&order=newest", "/objectives?limit=200&cycle_id=" + b.cycle.String(), "/objectives?limit=200&order=newest&cycle_id=" + b.cycle.String(),
			"/objectives?limit=200&order=title&cycle_id=" + b.cycle.String(), "/objectives?limit=200&order=least-progress&cycle_id=" + b.cycle.String(),
			"/objectives?limit=200&order=most-progress&cycle_id=" + b.cycle.String(), "/objectives?limit=200&team_id=" + b.team.String(), "/objectives?limit=200&order=newest&team_id=" + b.team.String(),
			"/objectives?limit=200&owner_id=" + b.author.id.String(), "/objectives?limit=200&order=newest&owner_id=" + b.author.id.String(), "/objectives?text=海底トンネル", "/objectives?text=掘削",
			"/objectives?health=pending&limit=200", "/objectives?parent_objective_id=" + parent.ID.String(), "/objectives?supports=" + other.ID.String(), children(parent.ID), supported(other.ID), supporters(other.ID),
			"/search?q=海底&limit=50", "/search?q=掘削&kind=objective&limit=50", "/feed?limit=200"}
		for _, p := range []*person{b.owner, b.admin, b.lead, b.author, b.teammate, b.member, b.viewer} {
			sees := slices.Contains(readers, p.name)
			for _, at := range byID {
				want := http.StatusNotFound
				if sees {
					want = http.StatusOK
				}
				assert.Equal(t, want, p.send(http.MethodGet, at, nil).status, "%s: %s as %s", visibility, at, p.name)
			}
			for _, at := range lists {
				a := p.send(http.MethodGet, at, nil).is(http.StatusOK)
				assert.Equal(t, sees, contains(a, o.ID), "%s: %s as %s", visibility, at, p.name)
			}
			for _, at := range []string{objective(child.ID), roots(b.cycle) + "?limit=200", pathTo(child.ID), "/search?q=下位"} {
				a := p.send(http.MethodGet, at, nil).is(http.StatusOK)
				if !sees {
					assert.False(t, contains(a, o.ID), "%s: %s as %s", visibility, at, p.name)
				}
			}
			counted := 0
			if sees {
				counted = 1
			}
			for _, n := range get[api.AlignmentPage](p, roots(b.cycle)+"?limit=200").Items {
				if n.ID == parent.ID {
					assert.Equal(t, counted, n.ChildCount, "%s: children as %s", visibility, p.name)
				}
			}
		}
		b.exec("UPDATE objectives SET archived_at = now()") // the next visibility begins with a clean tree
	}
}

func contains(a answer, id uuid.UUID) bool { return strings.Contains(string(a.body), id.String()) }

// A change of who may see something, or of who is in a team, counts in the next transaction.
func TestVisibilityAndMembershipCountAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.leaf(fields{"title": "海底トンネル"})
	places := []string{objective(o.ID), "/objectives?limit=200", "/search?q=海底", roots(b.cycle), "/objectives?text=海底"}
	sees := func(p *person, want bool, when string) {
		t.Helper()
		for _, at := range places {
			a := p.send(http.MethodGet, at, nil)
			assert.Equal(t, want, a.status == http.StatusOK && contains(a, o.ID), "%s: %s as %s", when, at, p.name)
		}
	}
	revision := o.Revision
	as := func(visibility string) {
		t.Helper()
		b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": revision, "visibility": visibility}).is(http.StatusOK)
		revision++
	}
	sees(b.member, true, "organization")
	as("team")
	sees(b.member, false, "team")
	sees(b.teammate, true, "team")
	place := "/teams/" + b.team.String() + "/members/" + b.member.id.String()
	b.admin.send(http.MethodPut, place, fields{"role": auth.TeamMember}).is(http.StatusOK)
	sees(b.member, true, "joined the team")
	as("private")
	sees(b.member, false, "private")
	b.admin.send(http.MethodPut, place, fields{"role": auth.TeamLead}).is(http.StatusOK)
	sees(b.member, true, "leads the team")
	b.admin.send(http.MethodPut, place, fields{"role": auth.TeamMember}).is(http.StatusOK)
	sees(b.member, false, "leads no more")
	as("team")
	sees(b.member, true, "team again")
	b.admin.send(http.MethodDelete, place, nil).is(http.StatusNoContent)
	sees(b.member, false, "left the team")
	as("organization")
	sees(b.member, true, "organization again")
}
