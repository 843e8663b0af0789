package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// past holds the times that rows are to have. The program's queries take every time from the database's clock, as they must; a
// story has a past, so its rows get their times afterwards, by the owner's login, which alone may.
type past map[column]map[uuid.UUID]time.Time

type column struct{ table, name string }

func (p past) set(table, name string, id uuid.UUID, at time.Time) {
	c := column{table, name}
	if p[c] == nil {
		p[c] = map[uuid.UUID]time.Time{}
	}
	p[c][id] = at
}

// add is for a row that begins at a time.
func (p past) add(table string, id uuid.UUID, at time.Time) {
	p.set(table, "created_at", id, at)
	if table != "team_members" {
		p.change(table, id, at)
	}
}

// change is for a row that people edit, and that changes at a time.
func (p past) change(table string, id uuid.UUID, at time.Time) { p.set(table, "changed_at", id, at) }

func (p past) write(ctx context.Context, tx pgx.Tx, organization uuid.UUID) error {
	for c, times := range p {
		ids, ats := make([]uuid.UUID, 0, len(times)), make([]time.Time, 0, len(times))
		for id, at := range times {
			ids, ats = append(ids, id), append(ats, at)
		}
		_, err := tx.Exec(ctx, fmt.Sprintf(`
			UPDATE %s AS r SET %s = p.at
			FROM unnest($2::uuid[], $3::timestamptz[]) AS p (id, at)
			WHERE r.%s = $1 AND r.%s = p.id`, c.table, c.name, c.organization(), c.key()), organization, ids, ats)
		if err != nil {
			return fmt.Errorf("times of %s.%s: %w", c.table, c.name, err)
		}
	}
	return nil
}

func (c column) organization() string {
	if c.table == "organizations" {
		return "id"
	}
	return "organization_id"
}

// key is what ids are of: the members of a team joined it together.
func (c column) key() string {
	switch c.table {
	case "memberships":
		return "user_id"
	case "team_members":
		return "team_id"
	case "broadcast_deliveries":
		return "broadcast_id"
	}
	return "id"
}
