package notify

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// ErrTooManyFollowers says that a session, or this process, follows as many inboxes as it may.
var ErrTooManyFollowers = errors.New("notify: too many are following already")

const (
	lookEvery     = 5 * time.Second        // at each organisation with followers, whether or not anything was heard
	lookApart     = 100 * time.Millisecond // at least, however much is heard
	lookBack      = 15 * time.Second       // behind the last look: what commits late has an id from before, and no transaction takes that long
	newsAtOnce    = 500                    // as ListNewsAfter gives
	newsWaiting   = 64                     // for one follower; who takes nothing for so long is let go, and asks again
	shownKept     = 1000
	perSession    = 6
	perProcess    = 2000
	listenAgainIn = 5 * time.Second
)

// News is a notification that is new, or that more has joined.
type News = db.ListNewsAfterRow

// Live tells those who follow their inboxes of what is new in them. However many they are, a process listens on one connection, and looks at one organisation at a time in one
// short transaction: at once if it hears that there is something, every five seconds otherwise. With each look it is seen who may still follow. It runs while there are followers.
type Live struct {
	store *db.Store
	log   *slog.Logger
	every time.Duration // how often to look whether or not anything was heard

	mu        sync.Mutex
	followers map[uuid.UUID]map[*Follower]bool // by organisation
	sessions  map[uuid.UUID]int
	count     int
	looked    map[uuid.UUID]time.Time // when the last look at an organisation began
	due       map[uuid.UUID]bool
	wake      chan struct{}
	stop      context.CancelFunc
}

// NewLive starts nothing.
func NewLive(store *db.Store, log *slog.Logger) *Live {
	return &Live{store: store, log: log, every: lookEvery, followers: map[uuid.UUID]map[*Follower]bool{}, sessions: map[uuid.UUID]int{},
		looked: map[uuid.UUID]time.Time{}, due: map[uuid.UUID]bool{}, wake: make(chan struct{}, 1)}
}

// Follower is one who follows an inbox.
type Follower struct {
	live                        *Live
	organization, user, session uuid.UUID
	news                        chan News

	// Under live.mu.
	ended bool                    // news is closed then
	shown map[uuid.UUID]uuid.UUID // the newest latest_id of each that was told
}

// Follow has a member told of what is new, until Close, or until the session does not hold any more. What they know already is not told again.
func (l *Live) Follow(organization, user, session uuid.UUID, known ...News) (*Follower, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count >= perProcess || l.sessions[session] >= perSession {
		return nil, ErrTooManyFollowers
	}
	f := &Follower{live: l, organization: organization, user: user, session: session, news: make(chan News, newsWaiting), shown: map[uuid.UUID]uuid.UUID{}}
	for _, n := range known {
		f.shown[n.ID] = n.LatestID
	}
	if l.followers[organization] == nil {
		l.followers[organization] = map[*Follower]bool{}
		l.looked[organization] = time.Now()
	}
	l.followers[organization][f] = true
	l.sessions[session]++
	if l.count++; l.count == 1 {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		go l.run(ctx)
	}
	return f, nil
}

// News is what is new, in order; some of it may come twice. It is closed when the follower is let go.
func (f *Follower) News() <-chan News { return f.news }

// Close ends it. It may be called more than once.
func (f *Follower) Close() {
	f.live.mu.Lock()
	defer f.live.mu.Unlock()
	f.live.end(f)
}

// end lets a follower go, under the lock.
func (l *Live) end(f *Follower) {
	if f.ended {
		return
	}
	f.ended = true
	close(f.news)
	delete(l.followers[f.organization], f)
	if len(l.followers[f.organization]) == 0 {
		delete(l.followers, f.organization)
		delete(l.looked, f.organization)
		delete(l.due, f.organization)
	}
	if l.sessions[f.session]--; l.sessions[f.session] == 0 {
		delete(l.sessions, f.session)
	}
	if l.count--; l.count == 0 {
		l.stop()
	}
}

func (l *Live) run(ctx context.Context) {
	var listening sync.WaitGroup
	listening.Go(func() { l.listen(ctx) })
	defer listening.Wait()
	look := time.NewTicker(l.every)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-look.C:
			l.hear("")
		}
		for _, organization := range l.takeDue() {
			if err := l.look(ctx, organization); err != nil && ctx.Err() == nil {
				l.log.Debug("news of an organisation could not be read, and will be later", "organization", organization, "error", err)
			}
		}
		if !sleep(ctx, lookApart) {
			return
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// listen hears of news. After each new connection everything is looked at, since nothing is kept for whoever is not there.
func (l *Live) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := l.store.Subscribe(ctx, newsChannel, func() { l.hear("") }, l.hear)
		if ctx.Err() == nil {
			l.log.Debug("listening for news has broken off; it is looked for until it goes on", "error", err)
			sleep(ctx, listenAgainIn)
		}
	}
}

// hear has the organisations named in payload looked at; all of them, if it names none.
func (l *Live) hear(payload string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if payload == "" {
		for organization := range l.followers {
			l.due[organization] = true
		}
	} else {
		for text := range strings.SplitSeq(payload, ",") {
			if id, err := uuid.Parse(text); err == nil && l.followers[id] != nil {
				l.due[id] = true
			}
		}
	}
	if len(l.due) > 0 {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

func (l *Live) takeDue() []uuid.UUID {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]uuid.UUID, 0, len(l.due))
	for organization := range l.due {
		all = append(all, organization)
	}
	clear(l.due)
	return all
}

// look reads, in one transaction, who of an organisation's followers may go on, and what is new for them.
func (l *Live) look(ctx context.Context, organization uuid.UUID) error {
	sessions, users, since := l.following(organization)
	if len(users) == 0 {
		return nil
	}
	began := time.Now()
	var live []uuid.UUID
	var news []News
	err := l.store.Read(ctx, db.Scope{Organization: organization, Class: db.Background}, func(ctx context.Context, q *db.Queries) (err error) {
		news = nil
		if live, err = q.ListLiveSessions(ctx, db.ListLiveSessionsParams{OrganizationID: organization, SessionIDs: sessions}); err != nil {
			return err
		}
		for after := LookedBack(since); ; {
			some, err := q.ListNewsAfter(ctx, db.ListNewsAfterParams{OrganizationID: organization, UserIDs: users, AfterID: after})
			if err != nil {
				return err
			}
			if news = append(news, some...); len(some) < newsAtOnce || len(news) >= 20*newsAtOnce {
				return nil
			}
			after = some[len(some)-1].LatestID
		}
	})
	if err != nil {
		return err
	}
	l.tell(organization, began, sessions, live, news)
	return nil
}

// following is whose inboxes to look at, and since when.
func (l *Live) following(organization uuid.UUID) (sessions, users []uuid.UUID, since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for f := range l.followers[organization] {
		sessions, users = append(sessions, f.session), append(users, f.user)
	}
	for _, ids := range []*[]uuid.UUID{&sessions, &users} {
		slices.SortFunc(*ids, compareIDs)
		*ids = slices.Compact(*ids)
	}
	return sessions, users, l.looked[organization]
}

func (l *Live) tell(organization uuid.UUID, began time.Time, asked, live []uuid.UUID, news []News) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byUser := map[uuid.UUID][]News{}
	for _, n := range news {
		byUser[n.UserID] = append(byUser[n.UserID], n)
	}
	gone := map[uuid.UUID]bool{}
	for _, session := range asked {
		gone[session] = true
	}
	for _, session := range live {
		delete(gone, session)
	}
	for f := range l.followers[organization] {
		if gone[f.session] || !f.take(byUser[f.user]) {
			l.end(f)
		}
	}
	if l.followers[organization] != nil {
		l.looked[organization] = began
	}
}

// take hands over what has not been told yet. It reports whether there was room for it.
func (f *Follower) take(news []News) bool {
	for _, n := range news {
		if f.shown[n.ID] == n.LatestID {
			continue
		}
		select {
		case f.news <- n:
		default:
			return false
		}
		if len(f.shown) >= shownKept {
			clear(f.shown) // what was told in the last seconds may be told again
		}
		f.shown[n.ID] = n.LatestID
	}
	return true
}

// LookedBack is where those look from who begin to follow at a moment: an id before that of anything which they may still be told of.
func LookedBack(now time.Time) uuid.UUID { return idBefore(now.Add(-lookBack)) }

// idBefore is an id before all that are made from t on.
func idBefore(t time.Time) (id uuid.UUID) {
	ms := uint64(max(0, t.UnixMilli()))
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i))) //nolint:gosec // one byte after the other
	}
	return id
}
