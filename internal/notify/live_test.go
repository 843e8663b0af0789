package notify

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// inbox is one member with a session, and what tells them live.
type inbox struct {
	t                           *testing.T
	database                    *pgtest.Database
	store                       *db.Store
	live                        *Live
	organization, user, session uuid.UUID
}

// follows sets up a Live that looks as often as is said.
func follows(t *testing.T, every time.Duration) *inbox {
	t.Helper()
	t.Parallel()
	i := &inbox{t: t, database: pgtest.New(t), organization: db.NewID(), user: db.NewID(), session: db.NewID()}
	var err error
	i.store, err = db.Open(t.Context(), i.database.AppURL, db.Options{Patience: time.Minute})
	require.NoError(t, err)
	t.Cleanup(i.store.Close)
	for statement, arguments := range map[string][]any{
		"INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')":          {i.organization},
		"INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi')": {i.user},
	} {
		_, err := i.database.Owner.Exec(t.Context(), statement, arguments...)
		require.NoError(t, err)
	}
	_, err = i.database.Owner.Exec(t.Context(), "INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", i.organization, i.user)
	require.NoError(t, err)
	_, err = i.database.Owner.Exec(t.Context(), "INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, sha256('x'), $2, $3, now() + interval '1 day')", i.organization, i.session, i.user)
	require.NoError(t, err)
	i.live = NewLive(i.store, slog.New(slog.DiscardHandler))
	i.live.every = every
	return i
}

func (i *inbox) create(ctx context.Context) uuid.UUID {
	i.t.Helper()
	subject := db.NewID()
	require.NoError(i.t, i.store.Write(ctx, db.Scope{Organization: i.organization}, func(ctx context.Context, q *db.Queries) error {
		return Create(ctx, q, i.organization, Notification{User: i.user, Kind: Commented, SubjectKind: "broadcast", Subject: subject, Title: "T", Path: "/"})
	}))
	return subject
}

func (i *inbox) hears(f *Follower, subject uuid.UUID) {
	i.t.Helper()
	select {
	case n, ok := <-f.News():
		require.True(i.t, ok, "let go")
		require.Equal(i.t, subject, n.SubjectID)
	case <-time.After(30 * time.Second):
		require.Fail(i.t, "nothing was heard")
	}
}

// Without looks of its own, a process finds what others have made by what they announce alone: all but the first, which the look at the beginning of listening may find.
func TestWhatIsAnnouncedIsFoundWithoutLooking(t *testing.T) {
	i := follows(t, time.Hour)
	announcer := NewAnnouncer(i.store, slog.New(slog.DiscardHandler))
	t.Cleanup(announcer.Close)
	f, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer f.Close()
	ctx := WithAnnouncer(t.Context(), announcer)
	for range 5 {
		i.hears(f, i.create(ctx))
	}
}

// And what nobody announces is found by looking.
func TestLookingWorksAlone(t *testing.T) {
	i := follows(t, 20*time.Millisecond)
	f, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer f.Close()
	for range 5 {
		i.hears(f, i.create(t.Context()))
	}
}

// The connection that listens is lost: the next one looks for what was missed.
func TestListeningGoesOnAfterALostConnection(t *testing.T) {
	i := follows(t, time.Hour)
	f, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer f.Close()
	const listeners = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN \"kakeai_news\"%'"
	app, err := pgx.Connect(t.Context(), i.database.AppURL) // the application's login may end its own connections
	require.NoError(t, err)
	defer func() { _ = app.Close(context.Background()) }()
	count := func(sql string) (n int) {
		if err := app.QueryRow(t.Context(), sql+listeners).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	require.Eventually(t, func() bool { return count("SELECT count(*) ") == 1 }, 30*time.Second, 10*time.Millisecond)
	subject := i.create(t.Context()) // announced by nobody
	require.Equal(t, 1, count("SELECT count(pg_terminate_backend(pid)) "))
	i.hears(f, subject)
}

func TestALateCommitIsToldThoughItsIDIsFromBefore(t *testing.T) {
	i := follows(t, 20*time.Millisecond)
	f, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer f.Close()
	late := db.NewID()
	made, heard := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- i.store.Write(t.Context(), db.Scope{Organization: i.organization}, func(ctx context.Context, q *db.Queries) error {
			err := Create(ctx, q, i.organization, Notification{User: i.user, Kind: Commented, SubjectKind: "broadcast", Subject: late, Title: "Late", Path: "/"})
			close(made)
			<-heard
			return err
		})
	}()
	<-made
	i.hears(f, i.create(t.Context()))
	close(heard)
	require.NoError(t, <-done)
	i.hears(f, late)
}

func TestFollowersAreBounded(t *testing.T) {
	i := follows(t, time.Hour)
	sessions := make([]uuid.UUID, perProcess) // which there are, or their followers would be let go at the first look
	for n := range sessions {
		sessions[n] = db.NewID()
	}
	_, err := i.database.Owner.Exec(t.Context(), `INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at)
		SELECT $1, sha256(s.id::text::bytea), s.id, $2, now() + interval '1 day' FROM unnest($3::uuid[]) AS s (id)`, i.organization, i.user, sessions)
	require.NoError(t, err)
	var all []*Follower
	for _, session := range sessions {
		f, err := i.live.Follow(i.organization, i.user, session)
		require.NoError(t, err)
		all = append(all, f)
	}
	_, err = i.live.Follow(i.organization, i.user, db.NewID())
	require.ErrorIs(t, err, ErrTooManyFollowers)
	for _, f := range all {
		f.Close()
		f.Close()
	}
	for range perSession {
		f, err := i.live.Follow(i.organization, i.user, i.session)
		require.NoError(t, err)
		defer f.Close()
	}
	_, err = i.live.Follow(i.organization, i.user, i.session)
	assert.True(t, errors.Is(err, ErrTooManyFollowers))
}

// Who takes nothing is let go, instead of filling memory or holding up the others.
func TestWhoIsTooSlowIsLetGo(t *testing.T) {
	i := follows(t, 20*time.Millisecond)
	slow, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer slow.Close()
	quick, err := i.live.Follow(i.organization, i.user, i.session)
	require.NoError(t, err)
	defer quick.Close()
	for range newsWaiting + 1 {
		i.hears(quick, i.create(t.Context()))
	}
	told := 0
	for range slow.News() {
		told++
	}
	assert.Equal(t, newsWaiting, told)
	i.hears(quick, i.create(t.Context()))
}
