package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
)

type (
	broadcastAudience struct {
		Kind    string      `json:"kind"`
		TeamIDs []uuid.UUID `json:"team_ids,omitempty"`
	}
	broadcastCreate struct {
		Title    string            `json:"title"`
		Body     string            `json:"body"`
		Audience broadcastAudience `json:"audience"`
		ByMail   bool              `json:"by_mail"`
	}
	broadcastMove struct {
		Revision    int64      `json:"revision"`
		Title       string     `json:"title,omitempty"`
		ScheduledAt *time.Time `json:"scheduled_at,omitempty"`
	}
	broadcast struct {
		ID       uuid.UUID          `json:"id"`
		Title    string             `json:"title"`
		State    string             `json:"state"`
		Revision int64              `json:"revision"`
		Audience *broadcastAudience `json:"audience"`
	}
	broadcastReach struct {
		Recipients int `json:"recipients"`
	}
	broadcastDelivery struct {
		State     string `json:"state"`
		Waiting   int    `json:"waiting"`
		Delivered int    `json:"delivered"`
		Failed    int    `json:"failed"`
		Uncertain int    `json:"uncertain"`
	}
)

func broadcastPath(id uuid.UUID, more string) string { return "/broadcasts/" + id.String() + more }

// broadcasting writes to everybody, and shows what a lead and a viewer may not.
func (t *tour) broadcasting(ctx context.Context, ready *step) {
	t.chapter("words to many")
	var draft broadcast
	drafted := t.step(ctx, "draft a broadcast to everybody, and see whom it would reach", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		draft, err = post[broadcast](ctx, admin, "/broadcasts", broadcastCreate{Title: "朝礼の前にチェックインを", Body: "悪い週こそ、早めに書いてください。", Audience: broadcastAudience{Kind: "organization"}})
		if err != nil {
			return err
		}
		reach, err := get[broadcastReach](ctx, admin, broadcastPath(draft.ID, "/audience"))
		s.sum("“%s” is a %s at revision %d, and would reach %d", draft.Title, draft.State, draft.Revision, reach.Recipients)
		if err == nil && (draft.State != "draft" || reach.Recipients < 2) {
			err = fmt.Errorf("a draft to everybody was due: %s", s.summary)
		}
		return err
	}, ready)
	scheduled := t.step(ctx, "schedule it for tomorrow", func(s *sight) error {
		tomorrow := time.Now().Add(24 * time.Hour)
		return t.moveBroadcast(ctx, s, &draft, "/schedule", broadcastMove{Revision: draft.Revision, ScheduledAt: &tomorrow}, "scheduled")
	}, drafted)
	pressed := t.step(ctx, "send it now instead", func(s *sight) error {
		return t.moveBroadcast(ctx, s, &draft, "/send", broadcastMove{Revision: draft.Revision}, "sending")
	}, scheduled)
	sent := t.step(ctx, "see it reach everybody", func(s *sight) error { return t.awaitBroadcast(ctx, s, draft.ID) }, pressed)
	t.step(ctx, "read it as a viewer, who is not told whom else it is for", func(s *sight) error {
		viewer, err := t.as(ctx, yoko)
		if err != nil {
			return err
		}
		read, err := get[broadcast](ctx, viewer, broadcastPath(draft.ID, ""))
		s.sum("%s reads “%s”", viewer.session.User.Name, read.Title)
		if err == nil && read.Audience != nil {
			err = errors.New("a viewer was told whom it is for")
		}
		return err
	}, sent)
	t.step(ctx, "change it after it was sent", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		_, err = patch[broadcast](ctx, admin, broadcastPath(draft.ID, ""), broadcastMove{Revision: draft.Revision, Title: "?"})
		p, err := refusedWith(err, http.StatusConflict, "wrong-state")
		if err == nil {
			s.sum("409 %s: %s", p.Type, p.Detail)
		}
		return err
	}, sent)
	t.step(ctx, "write to everybody as the lead of a team", func(s *sight) error {
		lead, err := t.as(ctx, aya)
		if err != nil {
			return err
		}
		_, err = post[broadcast](ctx, lead, "/broadcasts", broadcastCreate{Title: "?", Body: "?", Audience: broadcastAudience{Kind: "organization"}})
		p, err := refusedWith(err, http.StatusForbidden, "not-allowed")
		if err == nil {
			s.sum("403 %s; to their own team they may", p.Type)
		}
		return err
	}, ready)
}

func (t *tour) moveBroadcast(ctx context.Context, s *sight, b *broadcast, action string, move broadcastMove, state string) error {
	admin, err := t.as(ctx, kenichi)
	if err != nil {
		return err
	}
	before := *b
	if *b, err = post[broadcast](ctx, admin, broadcastPath(b.ID, action), move); err != nil {
		return err
	}
	s.sum("%s → %s; revision %d", before.State, b.State, b.Revision)
	if b.State != state || b.Revision != before.Revision+1 {
		return fmt.Errorf("%s at revision %d was due: %s", state, before.Revision+1, s.summary)
	}
	return nil
}

// awaitBroadcast follows a broadcast until it has been sent.
func (t *tour) awaitBroadcast(ctx context.Context, s *sight, id uuid.UUID) error {
	admin, err := t.as(ctx, kenichi)
	if err != nil {
		return err
	}
	reach, err := get[broadcastReach](ctx, admin, broadcastPath(id, "/audience"))
	if err != nil {
		return err
	}
	began := time.Now()
	for time.Since(began) < time.Minute {
		d, err := get[broadcastDelivery](ctx, admin, broadcastPath(id, "/delivery"))
		if err != nil {
			return err
		}
		if d.State == "sent" {
			s.sum("%d in their inboxes after %s", d.Delivered, time.Since(began).Round(10*time.Millisecond))
			if d.Delivered != reach.Recipients || d.Waiting+d.Failed+d.Uncertain > 0 {
				return fmt.Errorf("%d were due: %+v", reach.Recipients, d)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.New("it was not sent within a minute: does a worker run?")
}
