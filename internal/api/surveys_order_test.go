package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// Without an order of their own rows come as they lie, or as an index has them; neither may be the order of anonymous answers. The scan that keeps them as they lie is the one
// that a planner without statistics takes.
func TestAnonymousAnswersAreInAnotherOrderEachTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var people []*person
	for i := range 12 {
		people = append(people, b.joins(b.id, fmt.Sprint("answerer", i), auth.Member))
	}
	m := b.survey(fields{"anonymous": true}, people...)
	for i, p := range people {
		p.answers(m, 1+i%10, "答え-"+uuid.NewString(), fields{}).is(http.StatusOK)
	}
	tx, err := b.database.Owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	for _, scan := range []string{"indexscan", "bitmapscan", "indexonlyscan"} {
		_, err := tx.Exec(t.Context(), "SET LOCAL enable_"+scan+" = off")
		require.NoError(t, err)
	}
	q := db.New(tx)
	lie := func() []string {
		rows, err := tx.Query(t.Context(), "SELECT body FROM survey_answers WHERE body IS NOT NULL ORDER BY ctid")
		require.NoError(t, err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Len(t, all, len(people))
		return all
	}
	before := lie()
	require.NoError(t, q.ShuffleAnonymousAnswers(t.Context(), db.ShuffleAnonymousAnswersParams{OrganizationID: b.id, OccurrenceID: m.Next.ID}))
	after := lie()
	assert.ElementsMatch(t, before, after)
	assert.NotEqual(t, before, after, "written anew, they lie elsewhere")

	read := func() (all []string) {
		rows, err := q.ListSurveyTexts(t.Context(), db.ListSurveyTextsParams{OrganizationID: b.id, OccurrenceID: m.Next.ID})
		require.NoError(t, err)
		for _, r := range rows {
			all = append(all, *r.Body)
		}
		return all
	}
	once := read()
	assert.ElementsMatch(t, before, once)
	assert.NotEqual(t, once, read(), "read again, they come in another order")
	assert.NotEqual(t, after, once)
}
