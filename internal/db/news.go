package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Publish sends payload, of less than 8000 bytes, to whoever listens on channel. It is a short transaction of its own, for what may be lost: listeners poll as well.
func (s *Store) Publish(ctx context.Context, channel, payload string) error {
	return s.System(ctx, Background, func(ctx context.Context, q *Queries) error {
		_, err := q.db.Exec(ctx, "SELECT pg_notify($1, $2)", channel, payload)
		return err
	})
}

// Subscribe calls heard with the payload of each notification on channel until ctx ends or the connection breaks, on a connection of its own.
// ready, called once, tells that nothing sent from then on is missed. A connection pooler in transaction mode swallows
// notifications without a word, so nobody may depend on them.
func (s *Store) Subscribe(ctx context.Context, channel string, ready func(), heard func(payload string)) error {
	if err := s.connects.begin(ctx); err != nil {
		return translate(err)
	}
	conn, err := pgx.ConnectConfig(ctx, s.listener.Copy())
	if err != nil {
		return translate(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_ = conn.Close(ctx) // nothing to lose on a connection that only listened
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return translate(err)
	}
	ready()
	for {
		waited, cancel := context.WithTimeout(ctx, listenCheck)
		n, err := conn.WaitForNotification(waited)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			heard(n.Payload)
		case pgconn.Timeout(err):
			if err := conn.Ping(ctx); err != nil { // a silent, dead connection looks like a quiet one
				return translate(err)
			}
		default:
			return translate(err)
		}
	}
}
