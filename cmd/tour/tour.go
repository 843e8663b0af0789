package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The demo's people whom the tour signs in as. What they may do it asks the server.
const (
	shota    = "shota.tanaka@example.com"
	lan      = "lan.nguyen@example.com"
	aya      = "aya.nakamura@example.com" // leads the team that Shota and Lan are in
	rajesh   = "rajesh.iyer@example.com"
	daisuke  = "daisuke.kobayashi@example.com"
	emily    = "emily.carter@example.com" // leads Rajesh's team, and is in two organisations
	chinatsu = "chinatsu.yamamoto@example.com"
	makoto   = "makoto.watanabe@example.com" // leads Chinatsu's team
	kenichi  = "kenichi.sato@example.com"    // an admin, as is the owner, Misaki: they review what belongs to no team
	misaki   = "misaki.takahashi@example.com"
	yoko     = "yoko.suzuki@example.com"  // a viewer
	noah     = "noah.bennett@example.com" // of the other organisation
)

// example is a text of examples/: a title, and what somebody would say about it.
type example struct {
	file  string
	title string
	body  string
}

// readExamples reads at least six texts, in the order of their names.
func readExamples(folder string) ([]example, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	const fewest = 6
	if len(files) < fewest {
		return nil, fmt.Errorf("%d texts in %s/ of at least %d: the tour is run from the root of the repository", len(files), folder, fewest)
	}
	all := make([]example, 0, len(files))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		title, body, _ := strings.Cut(string(content), "\n")
		all = append(all, example{file: file, title: strings.TrimSpace(title), body: strings.TrimSpace(body)})
	}
	return all, nil
}

// tour is one visit to one instance.
type tour struct {
	*report
	url          string
	password     string
	organization *uuid.UUID         // that everybody but Noah signs in to; nil until the first has
	people       map[string]*client // by e-mail address
	cycle        cycle              // the one that objectives are drafted in
	teams        map[uuid.UUID]team
	drafts       []uuid.UUID // objectives that show only how something is refused
}

func newTour(r *report, url, password string) *tour {
	return &tour{report: r, url: url, password: password, people: map[string]*client{}, teams: map[uuid.UUID]team{}}
}

// as is somebody's browser, signed in.
func (t *tour) as(ctx context.Context, email string) (*client, error) {
	if c, ok := t.people[email]; ok {
		return c, nil
	}
	c := newClient(t.url)
	where := t.organization
	if email == noah {
		where = nil
	}
	if _, err := c.signIn(ctx, email, t.password, where); err != nil {
		return nil, err
	}
	t.people[email] = c
	return c, nil
}

// asBoth signs in two people.
func (t *tour) asBoth(ctx context.Context, first, second string) (one, other *client, err error) {
	if one, err = t.as(ctx, first); err != nil {
		return nil, nil, err
	}
	other, err = t.as(ctx, second)
	return one, other, err
}

// asProgram is somebody who sends the token of a session of its own instead of a cookie.
func (t *tour) asProgram(ctx context.Context, email string) (*client, error) {
	browser := newClient(t.url)
	token, err := browser.signIn(ctx, email, t.password, t.organization)
	return &client{base: t.url, http: &http.Client{}, token: token, session: browser.session}, err
}

// lookAround returns the step that finds where objectives can be drafted.
func (t *tour) lookAround(ctx context.Context) *step {
	t.chapter("signing in")
	in := t.step(ctx, "sign in as a member", func(s *sight) error {
		c, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		t.organization = &c.session.Organization.ID
		s.sum("%s is %s of %s", c.session.User.Name, c.session.Role, c.session.Organization.Name)
		return nil
	})
	ready := t.step(ctx, "list the cycles", func(s *sight) error { return t.chooseCycle(ctx, s) }, in)
	t.step(ctx, "list the teams", func(s *sight) error {
		c, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		teams, err := list[team](ctx, c, "/teams", nil)
		if err != nil {
			return err
		}
		var names []string
		for _, team := range teams {
			t.teams[team.ID] = team
			names = append(names, team.Name)
		}
		s.sum("%s", strings.Join(names, ", "))
		return nil
	}, in)
	return ready
}

// chooseCycle takes the active cycle that today is in.
func (t *tour) chooseCycle(ctx context.Context, s *sight) error {
	c, err := t.as(ctx, shota)
	if err != nil {
		return err
	}
	cycles, err := list[cycle](ctx, c, "/cycles", nil)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(c.session.Organization.TimeZone)
	if err != nil {
		return err
	}
	today := time.Now().In(zone).Format(time.DateOnly)
	var seen []string
	for _, one := range cycles {
		seen = append(seen, fmt.Sprintf("%s %s", one.Name, one.State))
		if one.State == "active" && one.StartsOn <= today && today <= one.EndsOn {
			t.cycle = one
		}
	}
	s.sum("%s", strings.Join(seen, ", "))
	if t.cycle.ID == uuid.Nil {
		return errors.New("none is active today, so there is nowhere to check in; a demo shows the quarter that it was loaded in")
	}
	return nil
}

// sharedTeam is a team that the second leads and the first is in; nil if there is none.
func (t *tour) sharedTeam(member, lead *client) *uuid.UUID {
	for _, id := range lead.session.LeadTeamIDs {
		if slices.Contains(member.session.TeamIDs, id) {
			return &id
		}
	}
	return nil
}

// draft makes an objective that is put away at the end of the tour.
func (t *tour) draft(ctx context.Context, c *client, team *uuid.UUID, title string, keyResults ...keyResult) (objective, error) {
	o, err := post[objective](ctx, c, "/objectives", objectiveCreate{CycleID: t.cycle.ID, TeamID: team, Title: title, KeyResults: keyResults})
	if err == nil {
		t.drafts = append(t.drafts, o.ID)
	}
	return o, err
}

// audit reads, as an admin, what was done to one thing, the first first.
func (t *tour) audit(ctx context.Context, target uuid.UUID) ([]auditEvent, error) {
	admin, err := t.as(ctx, kenichi)
	if err != nil {
		return nil, err
	}
	events, err := list[auditEvent](ctx, admin, "/audit-events", url.Values{"target_id": {target.String()}})
	slices.Reverse(events)
	return events, err
}

func (e auditEvent) String() string {
	by := "the coach's worker"
	if e.Actor != nil {
		by = e.Actor.Name
	}
	return fmt.Sprintf("%s by %s", e.Action, by)
}

func objectivePath(id uuid.UUID, more ...string) string {
	return strings.Join(append([]string{"/objectives", id.String()}, more...), "/")
}
