package demo

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Whoever signs in, whenever that is, finds news in the inbox, and something of each kind that waits for them.
func TestWhoeverSignsInHasNewsAndOwesSomething(t *testing.T) {
	t.Parallel()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	require.NoError(t, err)
	today := time.Now().In(tokyo)
	database := setup(t, time.Now())
	store, err := db.Open(t.Context(), database.AppURL, db.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	organization := minatoWorks().id()
	count := func(sql string, arguments ...any) (n int) {
		require.NoError(t, database.Owner.QueryRow(t.Context(), "SELECT count(*)::int FROM "+sql, arguments...).Scan(&n), sql)
		return n
	}

	// What a worker does once the demo is loaded.
	running, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	worker := outbox.NewWorker(store, slog.New(slog.DiscardHandler), outbox.Consumers{Folds: []outbox.Fold{notify.Fold(), notify.FeedFold()}}, outbox.Options{})
	go func() { ended <- worker.Run(running) }()
	assert.Eventually(t, func() bool {
		return count("outbox_events WHERE organization_id = $1 AND state <> 'delivered' AND kind <> 'mail.send'", organization) == 0
	}, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, convene.New(store, convene.Options{}).AskSurveys(t.Context(), organization))
	stop()
	require.NoError(t, <-ended)

	for _, kind := range []notify.Kind{notify.ReviewRequested, notify.Mentioned, notify.SurveyOpen} {
		assert.Positive(t, count("notifications WHERE user_id = $1 AND kind = $2 AND read_at IS NULL", misaki.id(), kind), kind)
	}
	assert.Positive(t, count("feed_entries WHERE organization_id = $1", organization))
	assert.Zero(t, count("notifications AS n JOIN outbox_events AS e ON e.target_id = n.subject_id WHERE e.created_at < $1 AND n.created_at < $1", today.Add(-newsAge)), "of old news nobody is told")

	if quarterOf(today).startsOn.After(today.AddDate(0, 0, -21)) || okr.Today(today, tokyo).After(quarterOf(today).endsOn.AddDate(0, 0, -7)) {
		return // check-ins begin in the third week, and end with the last
	}
	owed := map[notify.Debt]int{}
	require.NoError(t, store.Read(t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) error {
		all, err := notify.OwedBy(ctx, q, organization, notify.Rules{Now: time.Now(), Zone: tokyo, Cadence: okr.Weekly, GraceDays: okr.DefaultGraceDays}, misaki.id())
		for _, o := range all[misaki.id()] {
			owed[o.Kind]++
		}
		return err
	}))
	for _, kind := range []notify.Debt{notify.OwedReview, notify.OwedCheckIn, notify.OwedSurvey} {
		assert.Positive(t, owed[kind], "%s of %v", kind, owed)
	}
}
