package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

type listed struct {
	Items []struct {
		ID       uuid.UUID   `json:"id"`
		Revision int64       `json:"revision"`
		Row      int64       `json:"row"`
		Member   *api.Person `json:"member"`

		Objective *listedObjective `json:"objective"`
		Team      *listedObjective `json:"team"`
	} `json:"items"`
	NextCursor *string `json:"next_cursor"`
}

// listedObjective is an item that is about an objective, or about a team.
type listedObjective struct {
	ID uuid.UUID `json:"id"`
}

var next = regexp.MustCompile(`^<(/api/v1/[^>]+)>; rel="next"$`)

// pages follows a list to its end by its Link headers and calls between after each page. It returns what names each item.
func (p *person) pages(path string, between func()) (all []string) {
	p.t.Helper()
	for path != "" {
		a := p.send(http.MethodGet, path, nil).is(http.StatusOK)
		page := into[listed](a)
		for _, item := range page.Items {
			switch {
			case item.Member != nil && item.ID == uuid.Nil:
				all = append(all, item.Member.ID.String())
			case item.Team != nil && item.ID == uuid.Nil:
				all = append(all, item.Team.ID.String())
			case item.Objective != nil:
				all = append(all, item.Objective.ID.String())
			case item.ID == uuid.Nil:
				all = append(all, fmt.Sprint(item.Revision+item.Row))
			default:
				all = append(all, item.ID.String())
			}
		}
		link := next.FindStringSubmatch(a.header.Get("Link"))
		require.Equal(p.t, page.NextCursor != nil, link != nil, "%s: %q", a.what, a.header.Get("Link"))
		path = ""
		if link != nil {
			require.NotEmpty(p.t, page.Items)
			assert.Contains(p.t, link[1], "cursor="+*page.NextCursor)
			path = strings.TrimPrefix(link[1], "/api/v1")
			between()
		}
	}
	return all
}

// growing is a list that something is added to.
type growing struct {
	path   string
	reader *person
	add    func()
	newest bool // newest first: what is added later comes before the first page
}

// pagedOnce adds something after each page: what was there before is seen once, in the same order.
func (l growing) pagedOnce(t *testing.T, name string) {
	t.Helper()
	for range 7 {
		l.add()
	}
	before := l.reader.pages(l.path+"limit=200", func() { t.Fatal("all fit one page: " + name) })
	require.GreaterOrEqual(t, len(before), 7, name)
	assert.Equal(t, before, l.reader.pages(l.path+"limit=200", func() {}), "the order is the same each time: %s", name)
	added := 0
	seen := l.reader.pages(l.path+"limit=3", func() {
		if added < 5 { // or there would be no last page
			l.add()
		}
		added++
	})
	if !l.newest {
		require.GreaterOrEqual(t, len(seen), len(before), name)
		assert.Equal(t, before, seen[:len(before)], name)
		assert.Len(t, unique(seen), len(seen), name)
		return
	}
	assert.Equal(t, before, seen, name)
}

// Each list has something added to it after each page: what was there before is seen once, in the same order.
func TestPagesCoverEverythingOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.draft(fields{"key_results": []fields{metric("一")}})
	b.put(parent.ID, "approved")
	o := b.author.draft()
	dialogue := b.author.dialogue(o.ID)
	people := 0
	revision := int64(1)
	attended := b.author.meeting()
	hook := b.admin.webhook().Webhook.ID
	file, rows := b.admin.brings(smallFile), 1
	lists := map[string]growing{
		"members":      {"/members?", b.viewer, func() { people++; b.joins(b.id, fmt.Sprint("newcomer", people), auth.Viewer) }, false},
		"teams":        {"/teams?", b.viewer, func() { b.newTeam(uuid.NewString()) }, false},
		"teams in use": {"/teams?archived=false&", b.viewer, func() { b.newTeam(uuid.NewString()) }, false},
		"named teams":  {"/teams?text=目標&", b.viewer, func() { b.newTeam("目標の" + uuid.NewString()) }, false},
		"team members": {"/teams/" + b.team.String() + "/members?", b.viewer, func() { b.place(b.team, b.joins(b.id, "joiner", auth.Member), auth.TeamMember) }, false},
		"cycles":       {"/cycles?", b.viewer, func() { b.newCycle("active", 0, 1) }, false},
		"objectives":   {"/objectives?", b.viewer, func() { b.member.draft(fields{"team_id": nil, "key_results": nil}) }, false},
		"of an owner":  {"/objectives?owner_id=" + b.teammate.id.String() + "&state=draft&", b.viewer, func() { b.teammate.draft(fields{"key_results": nil}) }, false},
		"of a team":    {"/objectives?team_id=" + b.team.String() + "&", b.viewer, func() { b.author.draft(fields{"key_results": nil}) }, false},
		"of a cycle": {"/objectives?cycle_id=" + b.cycle.String() + "&", b.viewer, func() {
			b.author.draft(fields{"key_results": nil, "visibility": "private"})
			b.author.draft(fields{"key_results": nil})
		}, false},
		"sessions":  {"/sessions?", b.admin, func() { b.session(b.id, b.admin.id) }, false},
		"comments":  {objective(o.ID) + "/comments?", b.viewer, func() { b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}).is(201) }, false},
		"dialogues": {objective(o.ID) + "/dialogues?", b.viewer, func() { b.author.dialogue(o.ID) }, false},
		"messages": {"/dialogues/" + dialogue.String() + "/messages?", b.viewer, func() {
			b.author.send(http.MethodPost, "/dialogues/"+dialogue.String()+"/messages", fields{"body": "はい"}).is(201)
		}, false},
		"suggestions": {"/dialogues/" + dialogue.String() + "/suggestions?", b.viewer, func() { b.suggest(o.ID, dialogue, retitle("提案")) }, false},
		"jobs": {"/dialogues/" + dialogue.String() + "/jobs?", b.viewer, func() {
			b.author.send(http.MethodPost, "/jobs/"+b.author.job(dialogue).ID.String()+"/cancel", nil).is(200)
		}, false},
		// Dialogue, from the latest back
		"newest comments": {objective(o.ID) + "/comments?newest=true&", b.viewer, func() { b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}).is(201) }, true},
		"newest messages": {"/dialogues/" + dialogue.String() + "/messages?newest=true&", b.viewer, func() {
			b.author.send(http.MethodPost, "/dialogues/"+dialogue.String()+"/messages", fields{"body": "はい"}).is(201)
		}, true},
		"newest suggestions": {"/dialogues/" + dialogue.String() + "/suggestions?newest=true&", b.viewer, func() { b.suggest(o.ID, dialogue, retitle("提案")) }, true},
		"newest jobs": {"/dialogues/" + dialogue.String() + "/jobs?newest=true&", b.viewer, func() {
			b.author.send(http.MethodPost, "/jobs/"+b.author.job(dialogue).ID.String()+"/cancel", nil).is(200)
		}, true},
		"notifications of a kind": {"/notifications?kind=broadcast,mentioned&", b.viewer, func() { b.notice(b.viewer) }, true},
		"check-ins":               {checkIns(parent.KeyResults[0].ID) + "?", b.viewer, func() { b.author.checkIn(parent.KeyResults[0].ID, "1") }, true},
		"history": {objective(parent.ID) + "/history?", b.viewer, func() {
			b.lead.send(http.MethodPatch, objective(parent.ID), fields{"revision": revision, "title": "題"}).is(200)
			revision++
		}, true},
		// Workflow
		"to score":        {"/cycles/" + b.cycle.String() + "/to-score?", b.viewer, func() { b.author.approved(fields{"key_results": nil}) }, false},
		"members of team": {"/members?team_id=" + b.team.String() + "&", b.viewer, func() { b.place(b.team, b.joins(b.id, "joiner", auth.Member), auth.TeamMember) }, false},
		// Dashboard
		"missing objectives": {"/cycles/" + b.cycle.String() + "/missing-objectives?", b.admin, func() { people++; b.joins(b.id, fmt.Sprint("idler", people), auth.Member) }, false},
		"teams of a cycle":   {"/cycles/" + b.cycle.String() + "/teams?", b.viewer, func() { b.newTeam(uuid.NewString()) }, false},
		"missing check-ins":  {"/cycles/" + b.cycle.String() + "/missing-check-ins?", b.admin, func() { b.silent(b.author) }, false},

		// Meetings
		"meetings":    {"/meetings?", b.author, func() { b.author.meeting() }, false},
		"attendees":   {"/meetings/" + attended.ID.String() + "/attendees?", b.author, func() { b.author.invite(attended.ID, b.joins(b.id, "invited", auth.Member)) }, false},
		"occurrences": {"/occurrences?", b.member, func() { b.member.meetOnce() }, false},
		"follow-ups":  {"/follow-ups?", b.teammate, func() { b.author.followUp(b.teammate) }, false},

		"audit":        {"/audit-events?", b.admin, func() { b.author.draft(fields{"key_results": nil}) }, true},
		"audit of one": {"/audit-events?target_id=" + o.ID.String() + "&", b.admin, func() { b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}).is(201) }, true},

		// Invitations
		"invitations": {"/invitations?", b.admin, func() { b.invited(b.admin, uuid.NewString()+"@example.com") }, true},

		// Jobs
		"everybody's jobs": {"/jobs?", b.admin, func() {
			b.author.send(http.MethodPost, "/jobs/"+b.author.job(dialogue).ID.String()+"/cancel", nil).is(200)
		}, true},

		// Tokens
		"tokens":             {"/tokens?", b.lead, func() { b.lead.makesToken("read") }, false},
		"everybody's tokens": {"/tokens?whose=all&", b.admin, func() { b.admin.makesToken("read") }, false},

		// Broadcasts, Webhooks
		"broadcasts": {"/broadcasts?", b.admin, func() { b.admin.broadcast() }, true},
		"webhooks":   {"/webhooks?", b.admin, func() { b.admin.webhook() }, false},
		"deliveries": {webhookPath(hook) + "/deliveries?", b.admin, func() { b.admin.tried(hook, "failed") }, true},

		// Exchange
		"imports": {"/imports?", b.member, func() { b.member.brings(smallFile) }, true},
		"rows": {importPath(file.ID) + "/rows?", b.admin, func() {
			rows++
			b.exec("INSERT INTO import_rows (organization_id, import_id, position, line, cells) VALUES ($1, $2, $3, $3, '[]')", b.id, file.ID, rows)
		}, false},

		// Inbox
		"notifications": {"/notifications?", b.viewer, func() { b.notice(b.viewer) }, true},
		"feed": {"/feed?objective_id=" + o.ID.String() + "&", b.viewer, func() {
			b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}).is(201)
			b.deliver()
		}, true},
	}
	const audit = "audit" // before the others, which leave more there than fits one page
	paged := 1
	lists[audit].pagedOnce(t, audit)
	for name, l := range lists {
		if name != audit {
			paged++
			l.pagedOnce(t, name)
		}
	}
	assert.Len(t, names(func(o operation) bool { return strings.HasPrefix(o.spec.OperationID, "List") }), paged-5-5-2-1+1+3, "a list that is not here; objectives, members, teams, tokens, audit, the inbox and what is said are here with filters too, those of the alignment are in alignment_tree_test.go, and who a broadcast is for, which does not grow, is in broadcasts_test.go")
}

func unique(list []string) map[string]bool {
	set := map[string]bool{}
	for _, v := range list {
		set[v] = true
	}
	return set
}

func TestPagesHoldWhileManyWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 30 {
		b.author.draft(fields{"key_results": nil})
	}
	before := b.viewer.pages("/objectives?limit=200", func() {})
	var writers sync.WaitGroup
	for range 3 {
		writers.Go(func() {
			for range 15 {
				_, err := b.author.try(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "題"})
				assert.NoError(t, err)
			}
		})
	}
	// What is being written meanwhile is no part of the promise: of two that are written at once the later id may be committed first.
	seen := b.viewer.pages("/objectives?limit=4", func() {})
	writers.Wait()
	assert.Len(t, unique(seen), len(seen), "nothing is shown twice")
	assert.Equal(t, before, seen[:len(before)], "what was there is shown")
}

func TestPageSizes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO teams (organization_id, id, name, changed_by) SELECT $1, gen_random_uuid(), 'team ' || i, $2 FROM generate_series(1, 210) AS i`, b.id, b.owner.id)
	for query, want := range map[string]int{"": 50, "?limit=1": 1, "?limit=200": 200} {
		page := get[api.TeamPage](b.viewer, "/teams"+query)
		assert.Len(t, page.Items, want, query)
		assert.NotNil(t, page.NextCursor, query)
	}
	empty := get[fields](b.viewer, "/objectives?state=closed")
	assert.Equal(t, fields{"items": []any{}}, empty)
}
