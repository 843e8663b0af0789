package api_test

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/outbox"
)

func broadcastPath(id uuid.UUID) string { return "/broadcasts/" + id.String() }

// toTeam is a broadcast to the team.
func (b *bundle) toTeam() fields {
	return fields{"title": "来期のOKR", "body": "12月10日までに下書きを書いてください。", "audience": fields{"kind": "teams", "team_ids": []uuid.UUID{b.team}}}
}

// broadcast has a person draft a broadcast to the team, unless more says otherwise.
func (p *person) broadcast(more ...fields) api.Broadcast {
	p.t.Helper()
	body := p.toTeam()
	for _, f := range more {
		for name, v := range f {
			body[name] = v
		}
	}
	return into[api.Broadcast](p.send(http.MethodPost, "/broadcasts", body).is(http.StatusCreated))
}

// sent has a person draft a broadcast and send it, and carries it out.
func (p *person) sent(more ...fields) api.Broadcast {
	p.t.Helper()
	draft := p.broadcast(more...)
	p.send(http.MethodPost, broadcastPath(draft.ID)+"/send", fields{"revision": draft.Revision}).is(http.StatusAccepted)
	p.carryOut()
	return get[api.Broadcast](p, broadcastPath(draft.ID))
}

// carryOut does what the outbox's workers do with the events of broadcasts that are due: each in a transaction that ends the event.
func (b *bundle) carryOut() {
	b.t.Helper()
	for b.carryOutOne() {
		continue
	}
}

func (b *bundle) carryOutOne() bool {
	b.t.Helper()
	rows, err := b.database.Owner.Query(b.t.Context(), `SELECT id, kind, target_id FROM outbox_events
		WHERE organization_id = $1 AND kind LIKE 'broadcast.%deliver' AND state = 'waiting' AND available_at <= clock_timestamp() ORDER BY created_at, id LIMIT 1`, b.id)
	require.NoError(b.t, err)
	e := outbox.Event{Organization: b.id, Attempt: 1}
	found := rows.Next()
	if found {
		require.NoError(b.t, rows.Scan(&e.ID, &e.Kind, &e.Target))
	}
	rows.Close()
	require.NoError(b.t, rows.Err())
	if !found {
		return false
	}
	require.NoError(b.t, b.store.Write(b.t.Context(), db.Scope{Organization: b.id, Class: db.Background}, func(ctx context.Context, q *db.Queries) error {
		return broadcast.Fold(ctx, q, e)
	}))
	b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	return true
}

// report does what mail's sender does when it knows what became of somebody's mail.
func (b *bundle) report(broadcast, user uuid.UUID, state string) {
	b.t.Helper()
	b.exec(`UPDATE broadcast_deliveries SET state = $3, failure = CASE WHEN $3 = 'failed' THEN '550 no such user' END, changed_at = clock_timestamp()
		WHERE broadcast_id = $1 AND user_id = $2`, broadcast, user, state)
}

// aboutBroadcast is a call about a draft of the lead's to the team.
func aboutBroadcast(aim func(*bundle, api.Broadcast) call) func(*bundle, okr.Visibility) call {
	return func(b *bundle, _ okr.Visibility) call {
		draft := b.lead.broadcast()
		return aimed(aim(b, draft), b.lead, fields{"broadcast_id": draft.ID})
	}
}
