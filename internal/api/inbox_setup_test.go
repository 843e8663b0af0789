package api_test

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
)

// notice tells a person something, and returns the notification's id.
func (b *bundle) notice(p *person) uuid.UUID {
	b.t.Helper()
	subject := db.NewID()
	b.tell(notify.Notification{User: p.id, Kind: notify.BroadcastReceived, SubjectKind: "broadcast", Subject: subject, Title: "お知らせ", Path: "/broadcasts/" + subject.String()})
	return value[uuid.UUID](b, "SELECT id FROM notifications WHERE subject_id = $1 AND user_id = $2", subject, p.id)
}

// tell makes notifications in a transaction of their own.
func (b *bundle) tell(all ...notify.Notification) {
	b.t.Helper()
	require.NoError(b.t, b.store.Write(b.t.Context(), db.Scope{Organization: b.id}, func(ctx context.Context, q *db.Queries) error {
		return notify.Create(ctx, q, b.id, all...)
	}))
}

// deliver has the folds take over what happened since the last time, in the order it happened, as a worker does.
func (b *bundle) deliver() {
	b.t.Helper()
	for _, e := range b.events() {
		b.fold(e)
		b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	}
}

// events are those that wait, but for mails, which others deliver.
func (b *bundle) events() []outbox.Event {
	b.t.Helper()
	rows, err := b.database.Owner.Query(b.t.Context(), `SELECT organization_id, id, kind, target_id, target_revision, created_at FROM outbox_events
		WHERE state = 'waiting' AND kind <> 'mail.send' ORDER BY created_at, id`)
	require.NoError(b.t, err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e outbox.Event, err error) {
		return e, row.Scan(&e.Organization, &e.ID, &e.Kind, &e.Target, &e.Revision, &e.CreatedAt)
	})
	require.NoError(b.t, err)
	return all
}

func (b *bundle) fold(e outbox.Event) {
	b.t.Helper()
	err := b.store.Write(b.t.Context(), db.Scope{Organization: e.Organization}, func(ctx context.Context, q *db.Queries) error {
		if err := notify.Fold()(ctx, q, e); err != nil {
			return err
		}
		if err := notify.FeedFold()(ctx, q, e); err != nil {
			return err
		}
		return figures.Fold()(ctx, q, e)
	})
	require.NoError(b.t, err, e.Kind)
}

// inbox is what a person is shown, as "kind title occurrences" without those that are one.
func (p *person) inbox() []string {
	p.t.Helper()
	all := []string{}
	for _, n := range get[api.NotificationPage](p, "/notifications").Items {
		line := string(n.Kind) + " " + n.Title
		if n.Occurrences > 1 {
			line += " ×" + time.Duration(n.Occurrences).String()[:1]
		}
		all = append(all, line)
	}
	return all
}

// mailed is how many mails of a template wait for a person.
func (p *person) mailed(template string) int {
	p.t.Helper()
	return value[int](p.bundle, "SELECT count(*) FROM mails WHERE user_id = $1 AND template = $2", p.id, template)
}

func (p *person) move(o api.Objective, verb string, more fields) api.Objective {
	p.t.Helper()
	body := fields{"revision": o.Revision}
	for name, v := range more {
		body[name] = v
	}
	return into[api.Objective](p.send(http.MethodPost, action(o.ID, verb), body).is(http.StatusOK))
}
