package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// refusals shows what the product does not do. Each step is made of things of its own, so none needs another of them.
func (t *tour) refusals(ctx context.Context, ready *step) {
	t.chapter("two at once")
	t.step(ctx, "ask the coach for the same while it is at it", func(s *sight) error { return t.askTogether(ctx, s) }, ready)
	t.step(ctx, "edit what somebody else has edited meanwhile", func(s *sight) error { return t.staleEdit(ctx, s) }, ready)
	t.step(ctx, "accept a suggestion for what has been edited since", func(s *sight) error { return t.staleSuggestion(ctx, s) }, ready)
	t.step(ctx, "send the same request again", func(s *sight) error { return t.sendAgain(ctx, s) }, ready)

	t.chapter("who may what")
	t.step(ctx, "look into another organisation", func(s *sight) error { return t.lookAcross(ctx, s) })
	t.step(ctx, "edit as a viewer", func(s *sight) error { return t.editAsViewer(ctx, s) }, ready)
	t.step(ctx, "approve one's own objective where somebody else can", func(s *sight) error { return t.approveOwn(ctx, s) }, ready)
	t.step(ctx, "approve one's own objective where nobody else leads the team", func(s *sight) error { return t.approveOwnAlone(ctx, s) }, ready)
	t.step(ctx, "sign out", func(s *sight) error { return t.signOut(ctx, s) })

	t.chapter("the rest")
	t.step(ctx, "write a metric that has nowhere to go", func(s *sight) error { return t.writeNonsense(ctx, s) }, ready)
	t.step(ctx, "read the API's description and reference page", func(s *sight) error { return t.readDescription(ctx, s) })
	t.step(ctx, "put away what was only drafted to be refused", func(s *sight) error { return t.putAway(ctx, s) })
}

// askTogether has the owner and the team's lead ask at the same moment until the second has come while the first one's job was live: only
// then is there one job for both.
func (t *tour) askTogether(ctx context.Context, s *sight) error {
	owner, lead, err := t.asBoth(ctx, shota, aya)
	if err != nil {
		return err
	}
	const most = 20
	for try := 1; try <= most; try++ {
		o, err := t.draft(ctx, owner, t.sharedTeam(owner, lead), "問い合わせを待たせない")
		if err != nil {
			return err
		}
		d, err := talk(ctx, owner, o, "指標", "一次回答時間を8時間から2時間に短縮します。")
		if err != nil {
			return err
		}
		jobs, err := askAtOnce(ctx, d, owner, lead)
		if err != nil {
			return err
		}
		if jobs[0].ID == jobs[1].ID {
			s.sum("%s and %s asked together and follow one job, %s (%s)", owner.session.User.Name, lead.session.User.Name, jobs[0].ID, times(try))
			return t.onlyJob(ctx, owner, jobs[0].ID)
		}
		if err := followedEachOther(ctx, owner, jobs); err != nil {
			return err
		}
	}
	return fmt.Errorf("in %d tries the first job had always ended when the second was asked for, so nothing was seen", most)
}

func askAtOnce(ctx context.Context, d dialogue, clients ...*client) ([]job, error) {
	jobs, errs := make([]job, len(clients)), make([]error, len(clients))
	start, done := make(chan struct{}), make(chan struct{})
	for i, c := range clients {
		go func() {
			<-start
			jobs[i], errs[i] = ask(ctx, c, d, "draft")
			done <- struct{}{}
		}()
	}
	close(start)
	for range clients {
		<-done
	}
	return jobs, errors.Join(errs...)
}

// followedEachOther reports jobs of one kind for one objective that were live at the same time.
func followedEachOther(ctx context.Context, c *client, jobs []job) error {
	slices.SortFunc(jobs, func(x, y job) int { return x.CreatedAt.Compare(y.CreatedAt) })
	for i := range jobs {
		ended, _, err := byPolling(ctx, c, jobs[i].ID)
		if err != nil {
			return err
		}
		if i+1 < len(jobs) && ended.FinishedAt.After(jobs[i+1].CreatedAt) {
			return fmt.Errorf("job %s was made at %s, while %s was live until %s", jobs[i+1].ID, jobs[i+1].CreatedAt, ended.ID, *ended.FinishedAt)
		}
	}
	return nil
}

// onlyJob waits for a job and reports if the audit has it made more than once.
func (t *tour) onlyJob(ctx context.Context, c *client, id uuid.UUID) error {
	if _, _, err := byPolling(ctx, c, id); err != nil {
		return err
	}
	events, err := t.audit(ctx, id)
	if err != nil {
		return err
	}
	made := 0
	for _, e := range events {
		if e.Action == "job.created" {
			made++
		}
	}
	if made != 1 {
		return fmt.Errorf("the audit has it made %s", times(made))
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// staleEdit has a browser and a program read the same revision and both change it.
func (t *tour) staleEdit(ctx context.Context, s *sight) error {
	browser, err := t.as(ctx, shota)
	if err != nil {
		return err
	}
	program, err := t.asProgram(ctx, aya)
	if err != nil {
		return err
	}
	o, err := t.draft(ctx, browser, t.sharedTeam(browser, program), "返信を早くする")
	if err != nil {
		return err
	}
	const first, second = "最初の返信を早くする", "返信を早く、丁寧にする"
	edited, err := patch[objective](ctx, browser, objectivePath(o.ID), objectivePatch{Revision: o.Revision, Title: first})
	if err != nil {
		return err
	}
	_, err = patch[objective](ctx, program, objectivePath(o.ID), objectivePatch{Revision: o.Revision, Title: second})
	refused, err := refusedWith(err, http.StatusConflict, "stale-revision")
	if err != nil {
		return err
	}
	var present objective
	if err := json.Unmarshal(refused.Present, &present); err != nil {
		return fmt.Errorf("the present state cannot be read: %w", err)
	}
	if refused.ChangedBy == nil || refused.ChangedAt == nil || refused.ChangedBy.ID != browser.session.User.ID || present.Title != first || present.Revision != edited.Revision {
		return fmt.Errorf("it does not say what is there now, by whom and since when: %w", refused)
	}
	s.sum("%d %s: %s", refused.Status, refused.Type, refused.Detail)
	s.detail("there now: “%s”, by %s at %s", present.Title, refused.ChangedBy.Name, refused.ChangedAt.Format(time.RFC3339))
	s.detail("yours:     “%s”, by %s", second, program.session.User.Name)
	again, err := patch[objective](ctx, program, objectivePath(o.ID), objectivePatch{Revision: present.Revision, Title: second})
	if err != nil {
		return err
	}
	s.detail("made again from revision %d: “%s” at revision %d", present.Revision, again.Title, again.Revision)
	return nil
}

func (t *tour) staleSuggestion(ctx context.Context, s *sight) error {
	owner, err := t.as(ctx, rajesh)
	if err != nil {
		return err
	}
	o, err := t.draft(ctx, owner, nil, "Builds nobody waits for")
	if err != nil {
		return err
	}
	d, err := talk(ctx, owner, o, "Targets", "Reduce p95 build time from 24 min to 9 min.")
	if err != nil {
		return err
	}
	if _, _, err := askCoach(ctx, owner, d, "draft", byPolling); err != nil {
		return err
	}
	made, err := suggestionOf(ctx, owner, d)
	if err != nil {
		return err
	}
	if _, err := patch[objective](ctx, owner, objectivePath(o.ID), objectivePatch{Revision: o.Revision, Title: "Builds and tests nobody waits for"}); err != nil {
		return err
	}
	_, err = post[objective](ctx, owner, "/suggestions/"+made.ID.String()+"/accept", decision{})
	refused, err := refusedWith(err, http.StatusConflict, "superseded")
	if err != nil {
		return err
	}
	now, err := get[suggestion](ctx, owner, "/suggestions/"+made.ID.String())
	if err != nil {
		return err
	}
	after, err := get[objective](ctx, owner, objectivePath(o.ID))
	if err != nil {
		return err
	}
	s.sum("%d %s: %s", refused.Status, refused.Type, refused.Detail)
	s.detail("the suggestion was %s and is %s; the objective has %d key results", made.State, now.State, len(after.KeyResults))
	if made.State != "open" || now.State != "superseded" || len(after.KeyResults) != 0 {
		return errors.New("open, then superseded, with nothing applied, was due")
	}
	return nil
}

func (t *tour) sendAgain(ctx context.Context, s *sight) error {
	c, err := t.as(ctx, lan)
	if err != nil {
		return err
	}
	mine := url.Values{"owner_id": {c.session.User.ID.String()}}
	before, err := list[objective](ctx, c, "/objectives", mine)
	if err != nil {
		return err
	}
	key := http.Header{"Idempotency-Key": {uuid.NewString()}}
	wanted := objectiveCreate{CycleID: t.cycle.ID, Title: "同じお願いは一度だけ届く"}
	var first, second objective
	if _, err := c.call(ctx, http.MethodPost, "/objectives", wanted, &first, key); err != nil {
		return err
	}
	t.drafts = append(t.drafts, first.ID)
	a, err := c.call(ctx, http.MethodPost, "/objectives", wanted, &second, key)
	if err != nil {
		return err
	}
	after, err := list[objective](ctx, c, "/objectives", mine)
	if err != nil {
		return err
	}
	if first.ID != second.ID || a.header.Get("Idempotency-Replayed") != "true" || len(after) != len(before)+1 {
		return fmt.Errorf("ids %s and %s, Idempotency-Replayed %q, %d objectives and then %d", first.ID, second.ID,
			a.header.Get("Idempotency-Replayed"), len(before), len(after))
	}
	s.sum("the same answer again (%d, Idempotency-Replayed: true) and one objective", a.status)
	wanted.Title = "別のお願い"
	_, err = c.call(ctx, http.MethodPost, "/objectives", wanted, nil, key)
	refused, err := refusedWith(err, http.StatusUnprocessableEntity, "key-reused")
	if err != nil {
		return err
	}
	s.detail("another payload with that key: %d %s", refused.Status, refused.Type)
	return nil
}

// lookAcross compares what is there but another organisation's with what is nowhere.
func (t *tour) lookAcross(ctx context.Context, s *sight) error {
	insider, foreigner, err := t.asBoth(ctx, shota, noah)
	if err != nil {
		return err
	}
	theirs, err := list[objective](ctx, foreigner, "/objectives", nil)
	if err != nil {
		return err
	}
	if len(theirs) == 0 || foreigner.session.Organization.ID == insider.session.Organization.ID {
		return errors.New("there is no other organisation with an objective")
	}
	for _, method := range []string{http.MethodGet, http.MethodPatch} {
		foreign, err := missing(ctx, insider, method, theirs[0].ID)
		if err != nil {
			return err
		}
		nowhere, err := missing(ctx, insider, method, uuid.New())
		if err != nil {
			return err
		}
		if foreign != nowhere {
			return fmt.Errorf("%s tells them apart:\n%s\n%s", method, foreign, nowhere)
		}
	}
	s.sum("“%s” of %s is 404 for %s, to read and to write, like an id that nothing has", theirs[0].Title, foreigner.session.Organization.Name, insider.session.User.Name)
	return nil
}

// missing is the answer to a request for what is not there, but for what differs between any two answers.
func missing(ctx context.Context, c *client, method string, id uuid.UUID) (string, error) {
	var body any
	if method != http.MethodGet {
		body = objectivePatch{Revision: 1, Title: "?"}
	}
	a, err := c.call(ctx, method, objectivePath(id), body, nil)
	p, err := refusedWith(err, http.StatusNotFound, "not-found")
	if err != nil {
		return "", err
	}
	a.header.Del("X-Request-Id")
	a.header.Del("Date")
	a.header.Del("Content-Length") // the request's id in the body makes it no other than the body does
	var head strings.Builder
	err = a.header.Write(&head)
	return head.String() + string(bytes.ReplaceAll(a.body, []byte(p.RequestID), nil)), err
}

func (t *tour) editAsViewer(ctx context.Context, s *sight) error {
	owner, viewer, err := t.asBoth(ctx, shota, yoko)
	if err != nil {
		return err
	}
	o, err := t.draft(ctx, owner, nil, "見ることはできる目標")
	if err != nil {
		return err
	}
	seen, err := get[objective](ctx, viewer, objectivePath(o.ID))
	if err != nil {
		return err
	}
	_, err = patch[objective](ctx, viewer, objectivePath(o.ID), objectivePatch{Revision: seen.Revision, Title: "書きかえた目標"})
	refused, err := refusedWith(err, http.StatusForbidden, "not-allowed")
	if err != nil {
		return err
	}
	s.sum("%s, %s, reads “%s” (may_edit %t) and is refused with %d %s", viewer.session.User.Name, viewer.session.Role, seen.Title, seen.MayEdit, refused.Status, refused.Type)
	if viewer.session.Role != "viewer" || seen.MayEdit {
		return errors.New("a viewer who may not edit was due")
	}
	return nil
}

func (t *tour) approveOwn(ctx context.Context, s *sight) error {
	author, other, err := t.asBoth(ctx, kenichi, misaki)
	if err != nil {
		return err
	}
	o, err := t.submitted(ctx, author, nil, "会議を減らす")
	if err != nil {
		return err
	}
	approve := objectivePath(o.ID, "actions", "approve")
	_, err = post[objective](ctx, author, approve, objectiveMove{Revision: o.Revision})
	refused, err := refusedWith(err, http.StatusForbidden, "not-allowed")
	if err != nil {
		return err
	}
	s.sum("%s, %s: %d %s: %s", author.session.User.Name, author.session.Role, refused.Status, refused.Type, refused.Detail)
	approved, err := post[objective](ctx, other, approve, objectiveMove{Revision: o.Revision})
	if err != nil {
		return err
	}
	s.detail("then %s by %s", approved.State, approved.ChangedBy.Name)
	return nil
}

func (t *tour) approveOwnAlone(ctx context.Context, s *sight) error {
	author, err := t.as(ctx, aya)
	if err != nil {
		return err
	}
	if len(author.session.LeadTeamIDs) == 0 {
		return fmt.Errorf("%s leads no team", author.session.User.Name)
	}
	o, err := t.submitted(ctx, author, &author.session.LeadTeamIDs[0], "訪問の記録を残す")
	if err != nil {
		return err
	}
	approved, err := post[objective](ctx, author, objectivePath(o.ID, "actions", "approve"), objectiveMove{Revision: o.Revision})
	if err != nil {
		return err
	}
	events, err := t.audit(ctx, o.ID)
	if err != nil {
		return err
	}
	last := events[len(events)-1]
	s.sum("%s by %s, who leads it alone; the audit says %s", approved.State, approved.ChangedBy.Name, last.Detail)
	var detail struct {
		SelfApproval bool `json:"self_approval"`
	}
	if err := json.Unmarshal(last.Detail, &detail); err != nil || !detail.SelfApproval {
		return fmt.Errorf("the audit does not say that it was their own: %s %s", last, last.Detail)
	}
	return nil
}

func (t *tour) submitted(ctx context.Context, c *client, team *uuid.UUID, title string) (objective, error) {
	zero, ten := decimal.Zero, decimal.NewFromInt(10)
	o, err := t.draft(ctx, c, team, title, keyResult{Title: "件数", Kind: "metric", Unit: "件", Baseline: &zero, Target: &ten})
	if err != nil {
		return o, err
	}
	return post[objective](ctx, c, objectivePath(o.ID, "actions", "submit"), objectiveMove{Revision: o.Revision})
}

func (t *tour) signOut(ctx context.Context, s *sight) error {
	browser := newClient(t.url)
	token, err := browser.signIn(ctx, shota, t.password, t.organization)
	if err != nil {
		return err
	}
	if _, err := browser.call(ctx, http.MethodDelete, "/session", nil, nil); err != nil {
		return err
	}
	_, err = get[session](ctx, browser, "/session")
	refused, err := refusedWith(err, http.StatusUnauthorized, "signed-out")
	if err != nil {
		return err
	}
	// The browser has lost its cookie; what the session was opened with must be worth nothing either.
	program := &client{base: t.url, http: &http.Client{}, token: token}
	_, err = get[session](ctx, program, "/session")
	if _, err := refusedWith(err, http.StatusUnauthorized, "signed-out"); err != nil {
		return err
	}
	s.sum("%s is %d %s afterwards, with the cookie gone and with the old token", browser.session.User.Name, refused.Status, refused.Type)
	return nil
}

func (t *tour) writeNonsense(ctx context.Context, s *sight) error {
	c, err := t.as(ctx, rajesh)
	if err != nil {
		return err
	}
	forty := decimal.NewFromInt(40)
	_, err = t.draft(ctx, c, nil, "A target where we are", keyResult{Title: "NPS", Kind: "metric", Unit: "points", Baseline: &forty, Target: &forty})
	refused, err := refusedWith(err, http.StatusUnprocessableEntity, "invalid")
	if err != nil {
		return err
	}
	for _, e := range refused.Errors {
		s.sum("%d %s at %s: %s (%s)", refused.Status, refused.Type, e.Pointer, e.Detail, e.Code)
		if e.Pointer == "/key_results/0/target" && e.Code == "baseline-equals-target" {
			return nil
		}
	}
	return fmt.Errorf("the refusal does not point to the target: %w", refused)
}

func (t *tour) readDescription(ctx context.Context, s *sight) error {
	c := newClient(t.url)
	holds := map[string]string{"/api/openapi.yaml": "openapi: 3", "/docs": "swagger-ui-bundle.js", "/docs/assets/swagger-ui-bundle.js": "SwaggerUIBundle"}
	size := map[string]int{}
	for path, content := range holds {
		a, err := c.send(ctx, http.MethodGet, c.base+path, nil, http.Header{})
		if err != nil {
			return err
		}
		if a.status != http.StatusOK || !bytes.Contains(a.body, []byte(content)) {
			return fmt.Errorf("%s is %d without %q", path, a.status, content)
		}
		size[path] = len(a.body)
	}
	s.sum("/api/openapi.yaml, %d bytes, and /docs with its script", size["/api/openapi.yaml"])
	return nil
}

func (t *tour) putAway(ctx context.Context, s *sight) error {
	admin, err := t.as(ctx, misaki)
	if err != nil {
		return err
	}
	for _, id := range t.drafts {
		o, err := get[objective](ctx, admin, objectivePath(id))
		if err != nil {
			return err
		}
		o, err = post[objective](ctx, admin, objectivePath(id, "actions", "archive"), objectiveMove{Revision: o.Revision})
		if err != nil {
			return err
		}
		if !o.Archived {
			return fmt.Errorf("“%s” is not archived", o.Title)
		}
	}
	s.sum("%d objectives archived by %s", len(t.drafts), admin.session.User.Name)
	return nil
}
