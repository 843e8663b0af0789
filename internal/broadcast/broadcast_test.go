package broadcast_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

func TestItReachesEverybodyOnce(t *testing.T) {
	t.Parallel()
	for _, others := range []int{0, broadcast.Chunk - 3, broadcast.Chunk - 2, broadcast.Chunk - 1, 2*broadcast.Chunk + 7} { // with two more around a chunk's bounds
		b := setup(t)
		b.joins(others)
		sending := b.send(b.draft(nil))
		b.carriesOut()
		b.requireOnce(sending.ID, others+2)
		assert.Equal(t, others+1, b.count(`notifications WHERE kind = 'broadcast' AND subject_id = $1`, sending.ID), "it stands in everybody's inbox but its author's")
		now := b.read(sending.ID)
		assert.NotNil(t, now.SentAt)
		assert.Nil(t, now.DispatchID)
		assert.Equal(t, sending.Revision, now.Revision, "how far it has come is no edit")
		assert.Equal(t, 1, b.count(`audit_events WHERE action = 'broadcast.sent' AND target_id = $1 AND actor_id IS NULL`, sending.ID))
		b.carriesOut()
		assert.Zero(t, b.count(`outbox_events WHERE kind LIKE 'broadcast.%deliver' AND state = 'waiting'`))
	}
}

func TestEachEventCarriedOutTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.joins(2*broadcast.Chunk + 7)
	b.twice = true
	sending := b.send(b.draft(nil))
	b.carriesOut()
	b.requireOnce(sending.ID, 2*broadcast.Chunk+9)
}

// Ten thousand, with mail and inbox. What it takes is printed and not asserted.
func TestTenThousand(t *testing.T) {
	t.Parallel()
	const people = 10_000
	b := setup(t)
	b.joins(people - 2)
	b.exec("ANALYZE memberships, users")
	draft := b.draft(nil)
	begun := time.Now()
	sending := b.send(draft)
	pressed := time.Since(begun)
	transactions := 0
	var longest time.Duration
	for {
		e, found, err := b.next(t.Context())
		require.NoError(t, err)
		if !found {
			break
		}
		from := time.Now()
		require.NoError(t, b.carryOut(t.Context(), e, nil))
		longest = max(longest, time.Since(from))
		transactions++
		b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	}
	t.Logf("%d recipients: pressing took %s; delivered %s later in %d transactions, the longest of them %s", people, pressed.Round(time.Millisecond),
		(time.Since(begun) - pressed).Round(time.Millisecond), transactions, longest.Round(time.Millisecond))
	assert.Equal(t, people/broadcast.Chunk+1, transactions)
	b.requireOnce(sending.ID, people)

	b.report(sending.ID, broadcast.Failed)
	begun = time.Now()
	b.resend(b.read(sending.ID))
	b.carriesOut()
	t.Logf("sent again to all of them in %s", time.Since(begun).Round(time.Millisecond))
	assert.Equal(t, people, b.count(`broadcast_deliveries WHERE state = 'waiting' AND round = 2`))
	assert.Equal(t, 2*people, b.count(`mails`))
	assert.Equal(t, 2*people, b.count(`outbox_events WHERE kind = 'mail.send'`))
}

// Wherever it ends, whether before a commit or between two, the rest is done later and nothing twice.
func TestACrashAnywhereLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.joins(2*broadcast.Chunk + 7)
	sending := b.send(b.draft(nil))
	for {
		e, found, err := b.next(t.Context())
		require.NoError(t, err)
		if !found {
			break
		}
		before := b.count(`broadcast_deliveries`) + b.count(`mails`) + b.count(`outbox_events`) + b.count(`notifications`)
		require.ErrorIs(t, b.carryOut(t.Context(), e, errCrash), errCrash)
		assert.Equal(t, before, b.count(`broadcast_deliveries`)+b.count(`mails`)+b.count(`outbox_events`)+b.count(`notifications`), "nothing of half a chunk is left")
		require.NoError(t, b.carryOut(t.Context(), e, nil)) // and here it ends before anybody noted that the event was done
		require.NoError(t, b.carryOut(t.Context(), e, nil))
		b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	}
	b.requireOnce(sending.ID, 2*broadcast.Chunk+9)

	b.report(sending.ID, broadcast.Failed)
	b.resend(b.read(sending.ID))
	for {
		e, found, err := b.next(t.Context())
		require.NoError(t, err)
		if !found {
			break
		}
		require.ErrorIs(t, b.carryOut(t.Context(), e, errCrash), errCrash)
		require.NoError(t, b.carryOut(t.Context(), e, nil))
		require.NoError(t, b.carryOut(t.Context(), e, nil))
		b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	}
	assert.Equal(t, 2*broadcast.Chunk+9, b.count(`broadcast_deliveries WHERE state = 'waiting' AND round = 2`))
	assert.Equal(t, 2*(2*broadcast.Chunk+9), b.count(`mails`))
}

// A process that is killed in the middle is replaced by another one.
func TestAKilledProcessLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	const people = 6*broadcast.Chunk + 2
	b := setup(t)
	b.joins(people - 2)
	sending := b.send(b.draft(nil))
	// The process stops at the third chunk's first mail, holding what it has written of it, until it is killed there.
	b.exec(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF (SELECT count(*) FROM broadcast_deliveries) >= 1000 THEN PERFORM pg_advisory_xact_lock_shared(42); END IF; RETURN NEW; END $$`)
	b.exec("CREATE TRIGGER wait_here BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION wait_here()")
	b.exec("SELECT pg_advisory_lock(42)")
	killed := exec.Command(os.Args[0])
	killed.Env = append(os.Environ(), processDatabase+"="+b.AppURL, processOwner+"="+b.OwnerURL, processOrganization+"="+b.organization.String())
	killed.Stderr = os.Stderr
	require.NoError(t, killed.Start())
	require.Eventually(t, func() bool {
		return b.count(`pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid WHERE a.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`) > 0
	}, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait(), "it was killed")
	b.exec("SELECT pg_advisory_unlock(42)")
	assert.Less(t, b.count(`broadcast_deliveries`), people)
	b.carriesOut()
	b.requireOnce(sending.ID, people)
}

func TestTheAudienceIsWhoBelongsToItThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := b.joins(6)
	slices.SortFunc(people, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	for _, p := range people[:4] {
		b.place(p, "member")
	}
	draft := b.draft(func(p *db.CreateBroadcastParams) { p.Audience, p.TeamIDs = broadcast.Teams, []uuid.UUID{b.team} })
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", people[0])
	b.exec("DELETE FROM team_members WHERE user_id = $1", people[1])
	b.place(people[4], "member")
	b.send(draft)
	b.carriesOut()
	want := []uuid.UUID{b.lead, people[2], people[3], people[4]}
	assert.ElementsMatch(t, want, b.reached(draft.ID, broadcast.Waiting))

	named := b.draft(func(p *db.CreateBroadcastParams) {
		p.Audience, p.UserIDs, p.ByMail = broadcast.People, []uuid.UUID{people[5], people[0]}, false
	})
	b.send(named)
	b.carriesOut()
	assert.Equal(t, []uuid.UUID{people[5]}, b.reached(named.ID, broadcast.Delivered), "in the inbox alone it is there at once")

	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.team)
	nobody := b.draft(func(p *db.CreateBroadcastParams) { p.Audience, p.TeamIDs = broadcast.Teams, []uuid.UUID{b.team} })
	b.send(nobody)
	b.carriesOut()
	assert.Empty(t, b.reached(nobody.ID, broadcast.Waiting))
	assert.Equal(t, broadcast.Sent, b.read(nobody.ID).State)
}

// Somebody who joins behind the point that the sending has reached gets it, somebody who joins before it does not; nobody gets it twice.
func TestTheAudienceChangesInTheMiddle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := b.joins(broadcast.Chunk + 100)
	sending := b.send(b.draft(nil))
	e, _, err := b.next(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.carryOut(t.Context(), e, nil))
	b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = ANY ($1)", []uuid.UUID{people[0], people[len(people)-1]})
	b.joins(300)
	b.carriesOut()
	assert.Equal(t, 1, b.count(`broadcast_deliveries WHERE user_id = $1`, people[0]), "it had been sent before")
	assert.Zero(t, b.count(`broadcast_deliveries WHERE user_id = $1`, people[len(people)-1]))
	assert.Zero(t, b.count(`memberships AS m WHERE m.suspended_at IS NULL AND m.user_id > (SELECT max(d.user_id::text)::uuid FROM broadcast_deliveries AS d)`))
	assert.Equal(t, b.count(`broadcast_deliveries`), b.count(`mails`))
	assert.Equal(t, broadcast.Sent, b.read(sending.ID).State)
}

func TestWhoWantsNoMailHasItInTheInboxAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := b.joins(4)
	b.exec(`INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) VALUES ($1, $2, now())`, b.organization, people[0])
	b.exec(`INSERT INTO notification_preferences (organization_id, user_id, kind, mail) VALUES ($1, $2, 'broadcast', 'digest'), ($1, $3, 'broadcast', 'off'), ($1, $4, 'broadcast', 'immediate'), ($1, $4, 'comment', 'off')`,
		b.organization, people[1], people[2], people[3])
	sending := b.send(b.draft(nil))
	b.carriesOut()
	assert.ElementsMatch(t, people[:3], b.reached(sending.ID, broadcast.Delivered))
	assert.ElementsMatch(t, []uuid.UUID{b.author, b.lead, people[3]}, b.reached(sending.ID, broadcast.Waiting))
	assert.Equal(t, 3, b.count(`mails WHERE once AND template = 'broadcast' AND state = 'waiting' AND detail = jsonb_build_object('id', $1::text)`, sending.ID.String()))
}

// Events of a sending that has ended, been put off or been done find nothing.
func TestOldEventsFindNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scheduled := func(draft db.Broadcast) (now db.Broadcast, e outbox.Event) {
		dispatch := db.NewID()
		b.write(func(ctx context.Context, q *db.Queries) (err error) {
			now, err = q.ScheduleBroadcastIfRevision(ctx, db.ScheduleBroadcastIfRevisionParams{OrganizationID: b.organization, ID: draft.ID, Revision: draft.Revision,
				ScheduledAt: time.Now().Add(time.Hour), DispatchID: dispatch, ActorID: b.author})
			return err
		})
		return now, outbox.Event{Organization: b.organization, ID: db.NewID(), Kind: broadcast.SendKind, Target: dispatch, Attempt: 1}
	}
	first, early := scheduled(b.draft(nil))
	second, late := scheduled(first)
	require.NoError(t, b.carryOut(t.Context(), early, nil))
	assert.Equal(t, broadcast.Scheduled, b.read(second.ID).State, "it was put off")
	require.NoError(t, b.carryOut(t.Context(), late, nil))
	assert.Equal(t, broadcast.Sent, b.read(second.ID).State)
	require.NoError(t, b.carryOut(t.Context(), late, nil))
	b.requireOnce(second.ID, 2)

	third, e := scheduled(b.draft(nil))
	b.write(func(ctx context.Context, q *db.Queries) error {
		_, err := q.CancelBroadcastIfRevision(ctx, db.CancelBroadcastIfRevisionParams{OrganizationID: b.organization, ID: third.ID, Revision: third.Revision, ActorID: b.author})
		return err
	})
	require.NoError(t, b.carryOut(t.Context(), e, nil))
	assert.Equal(t, broadcast.Cancelled, b.read(third.ID).State)
	fourth, e := scheduled(b.draft(nil))
	b.send(fourth) // rather now
	b.carriesOut()
	require.NoError(t, b.carryOut(t.Context(), e, nil))
	assert.Equal(t, 2, b.count(`broadcast_deliveries WHERE broadcast_id = $1`, fourth.ID))
	for _, other := range []outbox.Event{{Organization: b.organization, Kind: "broadcast.sent", Target: fourth.ID}, {Organization: db.NewID(), Kind: broadcast.SendKind, Target: *first.DispatchID}} {
		require.NoError(t, b.carryOut(t.Context(), other, nil))
	}
}

// A broadcast that was cancelled in the middle goes no further.
func TestCancelledInTheMiddle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.joins(2 * broadcast.Chunk)
	sending := b.send(b.draft(nil))
	e, _, err := b.next(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.carryOut(t.Context(), e, nil))
	b.write(func(ctx context.Context, q *db.Queries) error {
		_, err := q.CancelBroadcastIfRevision(ctx, db.CancelBroadcastIfRevisionParams{OrganizationID: b.organization, ID: sending.ID, Revision: sending.Revision, ActorID: b.author})
		return err
	})
	b.carriesOut()
	assert.Equal(t, broadcast.Chunk, b.count(`broadcast_deliveries`))
	assert.Equal(t, broadcast.Cancelled, b.read(sending.ID).State)
}

// Whoever scheduled it has to be allowed to when its time has come.
func TestAScheduleEndsWithTheRightToIt(t *testing.T) {
	t.Parallel()
	for what, lose := range map[string]func(*bundle){
		"suspended":      func(b *bundle) { b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.lead) },
		"no longer lead": func(b *bundle) { b.exec("UPDATE team_members SET role = 'member' WHERE user_id = $1", b.lead) },
		"a viewer now":   func(b *bundle) { b.exec("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", b.lead) },
		"":               func(*bundle) {},
	} {
		b := setup(t)
		draft := b.draft(func(p *db.CreateBroadcastParams) {
			p.Audience, p.TeamIDs, p.ActorID = broadcast.Teams, []uuid.UUID{b.team}, b.lead
		})
		e := outbox.Event{Organization: b.organization, Kind: broadcast.SendKind, Target: db.NewID(), Attempt: 1}
		b.write(func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScheduleBroadcastIfRevision(ctx, db.ScheduleBroadcastIfRevisionParams{OrganizationID: b.organization, ID: draft.ID, Revision: 1, ScheduledAt: time.Now().Add(time.Hour), DispatchID: e.Target, ActorID: b.lead})
			return err
		})
		lose(b)
		require.NoError(t, b.carryOut(t.Context(), e, nil))
		if what == "" {
			assert.Equal(t, broadcast.Sent, b.read(draft.ID).State)
			continue
		}
		assert.Equal(t, broadcast.Cancelled, b.read(draft.ID).State, what)
		assert.Zero(t, b.count(`broadcast_deliveries`), what)
		assert.Equal(t, 1, b.count(`audit_events WHERE action = 'broadcast.cancelled' AND target_id = $1 AND actor_id IS NULL`, draft.ID), what)
	}
}

// Of two who press at once one sends it again, and whoever had failed gets one more mail. What fails meanwhile was not meant.
func TestPressedAtOnceItIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	const pressers = 8
	b := setup(t)
	people := b.joins(broadcast.Chunk + 50)
	sending := b.send(b.draft(nil))
	b.carriesOut()
	sent := b.read(sending.ID)
	failed := people[:broadcast.Chunk+20]
	b.report(sent.ID, broadcast.Delivered)
	b.report(sent.ID, broadcast.Failed, failed...)
	b.report(sent.ID, broadcast.Uncertain, people[len(people)-1])
	mails := b.count(`mails`)

	var won atomic.Int32
	var all sync.WaitGroup
	for range pressers {
		all.Go(func() {
			err := b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
				dispatch := db.NewID()
				_, err := q.ResendBroadcastIfRevision(ctx, db.ResendBroadcastIfRevisionParams{OrganizationID: b.organization, ID: sent.ID, Revision: sent.Revision, DispatchID: dispatch, ActorID: b.author})
				if err != nil {
					return err
				}
				return outbox.Enqueue(ctx, q, b.organization, broadcast.ResendKind, dispatch, nil)
			})
			if err == nil {
				won.Add(1)
			} else {
				assert.ErrorIs(t, err, db.ErrNotFound)
			}
		})
	}
	all.Wait()
	require.Equal(t, int32(1), won.Load())

	e, _, err := b.next(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.carryOut(t.Context(), e, nil))
	b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	b.report(sent.ID, broadcast.Failed, b.reached(sent.ID, broadcast.Waiting)...) // the first chunk fails again at once
	b.carriesOut()
	assert.Equal(t, len(failed), b.count(`broadcast_deliveries WHERE round = 2`))
	assert.Zero(t, b.count(`broadcast_deliveries WHERE round > 2`))
	assert.Equal(t, mails+len(failed), b.count(`mails`))
	assert.Equal(t, []uuid.UUID{people[len(people)-1]}, b.reached(sent.ID, broadcast.Uncertain))
	assert.Equal(t, 1, b.count(`broadcast_deliveries AS d WHERE d.round = 1 AND d.state = 'uncertain'`))
	assert.Nil(t, b.read(sent.ID).DispatchID)
}

// Many workers at the same events, two of which are of two sendings again: the later takes over.
func TestManyWorkersSendAgainOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.joins(2*broadcast.Chunk + 10)
	sending := b.send(b.draft(nil))
	b.carriesOut()
	b.report(sending.ID, broadcast.Failed)
	first := b.resend(b.read(sending.ID))
	second := b.resend(b.read(sending.ID))
	var all sync.WaitGroup
	for range 4 {
		for _, dispatch := range []*uuid.UUID{first.DispatchID, second.DispatchID} {
			all.Go(func() {
				assert.NoError(t, b.carryOut(t.Context(), outbox.Event{Organization: b.organization, Kind: broadcast.ResendKind, Target: *dispatch, Attempt: 1}, nil))
			})
		}
	}
	all.Wait()
	b.carriesOut()
	assert.Equal(t, 2*broadcast.Chunk+12, b.count(`broadcast_deliveries WHERE round = 2 AND state = 'waiting'`))
	assert.Equal(t, 2*(2*broadcast.Chunk+12), b.count(`mails`))
}

// Many workers at one event, as when one that was taken for dead goes on: each takes the chunk after the last one's.
func TestManyWorkersTakeOneChunkAfterAnother(t *testing.T) {
	t.Parallel()
	const workers = 4
	b := setup(t)
	b.joins(workers*broadcast.Chunk + 10)
	sending := b.send(b.draft(nil))
	e, _, err := b.next(t.Context())
	require.NoError(t, err)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { assert.NoError(t, b.carryOut(t.Context(), e, nil)) })
	}
	all.Wait()
	assert.Equal(t, workers*broadcast.Chunk, b.count(`broadcast_deliveries`))
	b.carriesOut()
	b.requireOnce(sending.ID, workers*broadcast.Chunk+12)
}

func TestWhoIsSuspendedIsNotSentToAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := b.joins(3)
	sending := b.send(b.draft(nil))
	b.carriesOut()
	b.report(sending.ID, broadcast.Failed, people...)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", people[1])
	b.resend(b.read(sending.ID))
	b.carriesOut()
	assert.Equal(t, []uuid.UUID{people[1]}, b.reached(sending.ID, broadcast.Failed))
}

func TestWhoMayAddressWhom(t *testing.T) {
	t.Parallel()
	led, other := uuid.New(), uuid.New()
	for _, c := range []struct {
		role     auth.Role
		audience string
		teams    []uuid.UUID
		want     bool
	}{
		{auth.Owner, broadcast.Organization, nil, true},
		{auth.Admin, broadcast.People, nil, true},
		{auth.Admin, broadcast.Teams, []uuid.UUID{other}, true},
		{auth.Member, broadcast.Teams, []uuid.UUID{led}, true},
		{auth.Member, broadcast.Teams, []uuid.UUID{led, other}, false},
		{auth.Member, broadcast.Teams, nil, false},
		{auth.Member, broadcast.Organization, nil, false},
		{auth.Member, broadcast.People, nil, false},
		{auth.Viewer, broadcast.Teams, []uuid.UUID{led}, false},
	} {
		assert.Equal(t, c.want, broadcast.MayAddress(c.role, []uuid.UUID{led}, c.audience, c.teams), "%+v", c)
	}
}
