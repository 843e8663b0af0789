package seed

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// Populate makes an organisation as `kakeai org bootstrap` does, in which the first signedIn of those who own objectives that everybody may see, and who do not administer, are signed in, with up to
// ten of theirs. Commits at the end and leaves visibility to Settle.
func Populate(ctx context.Context, owner *pgx.Conn, people, objectives, signedIn int) (o Organization, err error) {
	made, err := snapshot.New(owner.Config().ConnString(), snapshot.Options{}).Bootstrap(ctx, snapshot.Bootstrap{Name: fmt.Sprintf("Organisation of %d", objectives), Locale: "en", TimeZone: "UTC",
		OwnerEmail: fmt.Sprintf("owner.%d@example.com", objectives), OwnerName: "Owner", PasswordHash: "none", People: people - 1, Objectives: objectives})
	if err != nil {
		return o, fmt.Errorf("seed: %w", err)
	}
	o.ID, o.Owner = made.Organization, made.Owner
	rows, err := owner.Query(ctx, `
		SELECT o.owner_id, (array_agg(o.id ORDER BY o.id))[:10]
		FROM objectives AS o
		JOIN memberships AS m ON m.organization_id = o.organization_id AND m.user_id = o.owner_id AND m.role = 'member'
		WHERE o.organization_id = $1 AND o.visibility = 'organization' AND o.state = 'approved' AND o.owner_id <> $3
		GROUP BY o.owner_id ORDER BY o.owner_id LIMIT $2`, o.ID, signedIn, o.Owner)
	if err != nil {
		return o, fmt.Errorf("seed: %w", err)
	}
	o.Members, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (m Member, err error) {
		m.Token = auth.NewToken(o.ID)
		return m, row.Scan(&m.ID, &m.Objectives)
	})
	if err != nil || len(o.Members) == 0 {
		return o, fmt.Errorf("seed: nobody owns an objective that is under way: %w", err)
	}
	_, err = owner.CopyFrom(ctx, pgx.Identifier{"sessions"}, []string{"organization_id", "token_hash", "id", "user_id", "user_agent", "address", "expires_at"},
		pgx.CopyFromSlice(len(o.Members), func(i int) ([]any, error) {
			m := o.Members[i]
			return []any{o.ID, m.Token.Hash(), db.NewID(), m.ID, "bench", "127.0.0.1", time.Now().AddDate(0, 1, 0)}, nil
		}))
	if err != nil {
		return o, fmt.Errorf("seed: %w", err)
	}
	return o, nil
}

// Multiply makes of each objective so many, with as many key results and steps: the same ones but for ids, which is faster than making them up. Those who are signed in get
// no more of them, so that what is theirs stays as much as it was. What has been measured and said of them is not there again, for no list shows it; what it adds to the figures is. superuser is in the database that was loaded; foreign keys are not looked at.
func Multiply(ctx context.Context, superuser *pgx.Conn, o Organization, times int) error {
	// An id begins with the time at which it was made. The copies are as if made later, each after all of those before, so that they come one whole set after the other in every list by id: copies of one objective beside each
	// other would make of every mixture of states a hundred alike.
	const madeAt = "('x' || left(%[1]s::text, 8) || substr(%[1]s::text, 10, 4))::bit(48)::bigint"
	var span int64
	if err := superuser.QueryRow(ctx, "SELECT max(m) - min(m) + 1 FROM (SELECT "+fmt.Sprintf(madeAt, "o.id")+" AS m FROM objectives AS o WHERE o.organization_id = $1) AS made", o.ID).Scan(&span); err != nil {
		return fmt.Errorf("seed: when objectives were made: %w", err)
	}
	const id = "overlay(overlay(%[1]s::text PLACING substr(lpad(to_hex(" + madeAt + " + n * %[2]d), 12, '0'), 1, 8) FROM 1 FOR 8) PLACING substr(lpad(to_hex(" + madeAt + " + n * %[2]d), 12, '0'), 9, 4) FROM 10 FOR 4)::uuid"
	of := func(column string) string { return fmt.Sprintf(id, column, span) }
	signedIn := make([]uuid.UUID, len(o.Members))
	for i, m := range o.Members {
		signedIn[i] = m.ID
	}
	for _, statement := range []string{
		"SET session_replication_role = replica",
		`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, parent_objective_id, title, description, kind, visibility, state, score, revision, created_at, created_by, changed_at, changed_by)
		SELECT o.organization_id, ` + of("o.id") + `, o.cycle_id, o.team_id, CASE WHEN o.owner_id = ANY ($3::uuid[]) THEN $4::uuid ELSE o.owner_id END, ` + of("o.parent_objective_id") + `, o.title, o.description, o.kind, o.visibility, o.state, o.score, o.revision,
			o.created_at, o.created_by, o.changed_at, o.changed_by FROM objectives AS o, generate_series(1, $2::bigint - 1) AS n WHERE o.organization_id = $1`,
		`INSERT INTO key_results (organization_id, id, objective_id, position, title, owner_id, kind, unit, baseline, target, at_least, tolerance, weight, current_check_in_id, current_value, current_done_steps, current_confidence, current_at)
		SELECT k.organization_id, ` + of("k.id") + ", " + of("k.objective_id") + `, k.position, k.title, CASE WHEN k.owner_id = ANY ($3::uuid[]) THEN $4::uuid ELSE k.owner_id END, k.kind, k.unit, k.baseline, k.target, k.at_least, k.tolerance, k.weight, k.current_check_in_id,
			k.current_value, k.current_done_steps, k.current_confidence, k.current_at FROM key_results AS k, generate_series(1, $2::bigint - 1) AS n WHERE k.organization_id = $1`,
		`INSERT INTO milestone_steps (organization_id, id, key_result_id, position, title, weight)
		SELECT s.organization_id, ` + of("s.id") + ", " + of("s.key_result_id") + `, s.position, s.title, s.weight FROM milestone_steps AS s, generate_series(1, $2::bigint - 1) AS n WHERE s.organization_id = $1 AND $4::uuid <> ALL ($3::uuid[])`,
		`INSERT INTO objective_figures (organization_id, objective_id, cycle_id, parent_id, group_id, counted, restricted, pending, progress, overshoot, on_track_until, at_risk_until, key_results_until, outdated_from)
		SELECT f.organization_id, ` + of("f.objective_id") + `, f.cycle_id, ` + of("f.parent_id") + `, f.group_id, f.counted, f.restricted, f.pending, f.progress, f.overshoot, f.on_track_until, f.at_risk_until, f.key_results_until, f.outdated_from
		FROM objective_figures AS f, generate_series(1, $2::bigint - 1) AS n WHERE f.organization_id = $1 AND $4::uuid <> ALL ($3::uuid[])`,
		`UPDATE figure_counts SET objectives = objectives * $2, restricted = restricted * $2, pending = pending * $2, left_on_track = left_on_track * $2, went_off_track = went_off_track * $2,
			key_result_off_track = key_result_off_track * $2, outdated = outdated * $2, progress = progress * $2, overshoot = overshoot * $2 WHERE organization_id = $1 AND $4::uuid <> ALL ($3::uuid[])`,
		"RESET session_replication_role",
	} {
		var args []any
		if statement[0] != 'S' && statement[0] != 'R' {
			args = []any{o.ID, times, signedIn, o.Owner}
		}
		if _, err := superuser.Exec(ctx, statement, args...); err != nil {
			return fmt.Errorf("seed: %.60s: %w", statement, err)
		}
	}
	return nil
}
