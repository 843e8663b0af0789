package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"github.com/kakeai/kakeai/internal/budget"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// previews is a Refresher on a database with two organisations, and a site to fetch from.
type previews struct {
	*pgtest.Database
	t             *testing.T
	store         *db.Store
	organizations [2]uuid.UUID
	pages         *site
	refresher     *Refresher
}

// plenty is a budget that is never used up.
type plenty struct{}

func (plenty) Take() bool { return true }

func newPreviews(t *testing.T, b Budget, page http.HandlerFunc) previews {
	t.Helper()
	p := previews{Database: pgtest.New(t), t: t, organizations: [2]uuid.UUID{db.NewID(), db.NewID()}, pages: serve(t, "127.0.0.1:0", page)}
	for i, organization := range p.organizations {
		p.exec("INSERT INTO organizations (id, name) VALUES ($1, $2)", organization, fmt.Sprintf("Works %d", i))
	}
	store, err := db.Open(t.Context(), p.AppURL, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	p.store = store
	p.refresher = NewRefresher(store, allowing(t, Options{}, p.pages), b, slog.New(slog.DiscardHandler))
	return p
}

func (p previews) exec(sql string, arguments ...any) {
	p.t.Helper()
	if _, err := p.Owner.Exec(p.t.Context(), sql, arguments...); err != nil {
		p.t.Fatal(err)
	}
}

func (p previews) at(path string) string { return "http://" + p.pages.address + path }

func (p previews) refresh(urls ...string) {
	p.t.Helper()
	if err := p.refresher.Refresh(p.t.Context(), p.organizations[0], urls...); err != nil {
		p.t.Fatal(err)
	}
}

// stored is what an organisation has of some links, in their order; a zero LinkPreview where there is nothing.
func (p previews) stored(organization uuid.UUID, urls ...string) []db.LinkPreview {
	p.t.Helper()
	var hashes [][]byte
	for _, url := range urls {
		hashes = append(hashes, Hash(url))
	}
	var rows []db.LinkPreview
	err := p.store.Read(p.t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) (err error) {
		rows, err = q.ListLinkPreviews(ctx, db.ListLinkPreviewsParams{OrganizationID: organization, UrlHashes: hashes})
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	all := make([]db.LinkPreview, len(urls))
	for i := range urls {
		if at := slices.IndexFunc(rows, func(row db.LinkPreview) bool { return slices.Equal(row.UrlHash, hashes[i]) }); at >= 0 {
			all[i] = rows[at]
		}
	}
	return all
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// says is a preview in one line, with how many days it is good for.
func says(row db.LinkPreview) string {
	return fmt.Sprintf("%s %s|%s|%s|%s %s %.0fd", row.State, text(row.Title), text(row.Description), text(row.SiteName), text(row.ImageUrl), text(row.Failure),
		row.ExpiresAt.Sub(row.FetchedAt).Hours()/24)
}

func TestPreviewsAreFetchedAndKept(t *testing.T) {
	t.Parallel()
	p := newPreviews(t, plenty{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/plan":
			_, _ = io.WriteString(w, `<title>Plan</title><meta property=og:description content="For Q4"><meta property=og:image content="https://example.com/i.png"><body>`+strings.Repeat("x", 100<<10))
		case "/report.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, "%PDF-1.7")
		case "/inside":
			http.Redirect(w, r, "http://127.0.0.2/", http.StatusFound)
		case "/long":
			_, _ = io.WriteString(w, "<title>Long</title>"+strings.Repeat(" ", 2<<20))
		default:
			http.NotFound(w, r)
		}
	})
	urls := []string{p.at("/plan"), p.at("/report.pdf"), p.at("/inside"), p.at("/gone"), p.at("/long"), "ftp://example.com/", "http://127.0.0.3/", "\x00 no URL", strings.Repeat("長", 3000), ""}
	p.refresh(append(urls, p.at("/plan"), p.at("/plan#part"))...)
	for i, want := range []string{
		"fetched Plan|For Q4|127.0.0.1|https://example.com/i.png - 7d",
		"fetched report.pdf|-|127.0.0.1|- - 7d",
		"refused -|-|-|- address 1d",
		"failed -|-|-|- status 404 1d",
		"fetched Long|-|127.0.0.1|- - 7d",
		"refused -|-|-|- scheme 1d",
		"refused -|-|-|- address 1d",
		"refused -|-|-|- url 1d",
		"refused -|-|-|- url 1d",
	} {
		if got := says(p.stored(p.organizations[0], urls[i])[0]); got != want {
			t.Errorf("%.40q: %s, want %s", urls[i], got, want)
		}
	}
	if got := p.refresher.Stats(); got.Fetched != 3 || got.Failed != 1 || got.Refused != 6 {
		t.Errorf("%+v", got)
	}
	before := p.pages.visits.Load()
	p.refresh(urls...)
	if got := p.pages.visits.Load(); got != before {
		t.Errorf("%d more visits for what is fresh, failures included", got-before)
	}
	if got := p.stored(p.organizations[1], urls[0])[0]; got.State != "" {
		t.Errorf("another organisation has %s", says(got))
	}
}

func TestOutdatedPreviewsAreFetchedAgain(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[string]
	set := func(s string) { now.Store(&s) }
	p := newPreviews(t, plenty{}, func(w http.ResponseWriter, r *http.Request) {
		switch page := *now.Load(); page {
		case "gone":
			http.NotFound(w, r)
		case "inward":
			http.Redirect(w, r, "http://127.0.0.2/", http.StatusFound)
		default:
			_, _ = io.WriteString(w, "<title>"+page+"</title>")
		}
	})
	url := p.at("/")
	for _, step := range []struct{ page, want string }{
		{"gone", "failed -|-|-|- status 404"},
		{"first", "fetched first|-|127.0.0.1|- -"},
		{"second", "fetched second|-|127.0.0.1|- -"},
		{"gone", "fetched second|-|127.0.0.1|- status 404"}, // what was there yesterday is better than nothing
		{"third", "fetched third|-|127.0.0.1|- -"},
		{"inward", "refused -|-|-|- address"}, // the link does not lead any more where it did
		{"fourth", "fetched fourth|-|127.0.0.1|- -"},
	} {
		set(step.page)
		visits := p.pages.visits.Load()
		p.refresh(url)
		got := p.stored(p.organizations[0], url)[0]
		if said := says(got); !strings.HasPrefix(said, step.want+" ") {
			t.Errorf("%s: %s, want %s", step.page, said, step.want)
		}
		if p.pages.visits.Load() != visits+1 {
			t.Errorf("%s: %d visits", step.page, p.pages.visits.Load()-visits)
		}
		p.refresh(url)
		if p.pages.visits.Load() != visits+1 {
			t.Errorf("%s: fetched again though it is fresh", step.page)
		}
		p.exec("UPDATE link_previews SET expires_at = clock_timestamp()")
	}
}

// The budget is the process's, whoever asks: once it is used up nothing is fetched, and what is there stays as it is.
func TestNothingIsFetchedOverTheBudget(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	b := budget.NewWithClock(60, 2, func() time.Time { return time.Unix(now.Load(), 0) })
	p := newPreviews(t, b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "<title>"+r.URL.Path+"</title>")
	})
	now.Store(1000) // both are saved
	urls := []string{p.at("/1"), p.at("/2"), p.at("/3"), p.at("/4"), p.at("/5")}
	p.refresh(urls...)
	if got := p.pages.visits.Load(); got != 2 {
		t.Errorf("%d visits of a budget of 2", got)
	}
	if err := p.refresher.Refresh(t.Context(), p.organizations[1], urls...); err != nil {
		t.Fatal(err)
	}
	if got := p.pages.visits.Load(); got != 2 {
		t.Errorf("%d visits, with another organisation's", got)
	}
	kept := 0
	for _, row := range p.stored(p.organizations[0], urls...) {
		if row.State != "" {
			kept++
		}
	}
	if kept != 2 || p.refresher.Stats().OverBudget != 8 {
		t.Errorf("%d previews, %+v: what was left undone is stored", kept, p.refresher.Stats())
	}
	p.refresh("ftp://example.com/", "http://user@example.com/") // costs nothing, so it needs no budget
	if got := p.refresher.Stats(); got.Refused != 2 {
		t.Errorf("%+v", got)
	}
	now.Store(1002)
	p.refresh(urls...)
	if got := p.pages.visits.Load(); got != 4 {
		t.Errorf("%d visits after two more were saved", got)
	}
}

// However many ask for the same page at the same time, one goes there.
func TestOneFetchOfAPageAtATime(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	p := newPreviews(t, plenty{}, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		_, _ = io.WriteString(w, "<title>Page</title>")
	})
	url := p.at("/")
	const many = 10
	var begun, all sync.WaitGroup
	begun.Add(many)
	for i := range many {
		all.Go(func() {
			begun.Done()
			if err := p.refresher.Refresh(t.Context(), p.organizations[i%2], url); err != nil {
				t.Error(err)
			}
		})
	}
	begun.Wait()
	<-arrived
	close(release)
	all.Wait()
	for _, organization := range p.organizations {
		if got := p.stored(organization, url)[0]; text(got.Title) != "Page" {
			t.Errorf("%+v", got)
		}
	}
	// The two organisations may have come one after the other; within one, the second always finds it fresh.
	if got := p.pages.visits.Load(); got > 2 {
		t.Errorf("%d visits", got)
	}
}

// The same without a database, where it is certain that all have come before the first is done.
func TestAllWhoWaitGetWhatCameOfIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flights singleflight.Group
		var runs atomic.Int64
		release := make(chan struct{})
		for range 10 {
			go func() {
				got, err := once(t.Context(), &flights, "page", func() (int64, error) { <-release; return runs.Add(1), nil })
				if got != 1 || err != nil {
					t.Errorf("%d, %v", got, err)
				}
			}()
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if runs.Load() != 1 {
			t.Errorf("%d ran", runs.Load())
		}
	})
}

func TestWhoWaitedForOneThatGaveUpDoesItThemself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flights singleflight.Group
		ctx, giveUp := context.WithCancel(t.Context())
		go func() {
			if got, err := once(ctx, &flights, "page", func() (string, error) { <-ctx.Done(); return "half", ctx.Err() }); got != "" || !errors.Is(err, context.Canceled) {
				t.Errorf("who gave up: %q, %v", got, err)
			}
		}()
		synctest.Wait()
		for range 3 {
			go func() {
				if got, err := once(t.Context(), &flights, "page", func() (string, error) { return "whole", nil }); got != "whole" || err != nil {
					t.Errorf("who waited: %q, %v", got, err)
				}
			}()
		}
		synctest.Wait()
		giveUp()
		synctest.Wait()
	})
}

// Who waits for somebody else's fetch does it themself if that one gives up.
func TestAFetchThatWasGivenUpIsTakenOver(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	var visits atomic.Int64
	p := newPreviews(t, plenty{}, func(w http.ResponseWriter, r *http.Request) {
		if visits.Add(1) == 1 {
			close(arrived)
			<-r.Context().Done() // the first hears nothing until it goes
			return
		}
		_, _ = io.WriteString(w, "<title>Page</title>")
	})
	url := p.at("/")
	ctx, giveUp := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { first <- p.refresher.Refresh(ctx, p.organizations[0], url) }()
	<-arrived
	second := make(chan error, 1)
	go func() { second <- p.refresher.Refresh(t.Context(), p.organizations[1], url) }()
	giveUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
	rows := append(p.stored(p.organizations[0], url), p.stored(p.organizations[1], url)...)
	if rows[0].State != "" || text(rows[1].Title) != "Page" {
		t.Errorf("%q and %q: what was given up is no failure of the page's", rows[0].State, rows[1].State)
	}
}

// A page that makes the program panic is a failure like others.
func TestAPanicIsAFailure(t *testing.T) {
	t.Parallel()
	p := newPreviews(t, panicking{}, func(http.ResponseWriter, *http.Request) {})
	p.refresh(p.at("/"))
	if got := says(p.stored(p.organizations[0], p.at("/"))[0]); !strings.HasPrefix(got, "failed -|-|-|- panic") {
		t.Error(got)
	}
}

type panicking struct{}

func (panicking) Take() bool { panic("no") }

func TestPreviewsNeedNoTransactionAround(t *testing.T) {
	t.Parallel()
	p := newPreviews(t, plenty{}, func(http.ResponseWriter, *http.Request) {})
	err := p.store.Read(t.Context(), db.Scope{Organization: p.organizations[0]}, func(ctx context.Context, _ *db.Queries) error {
		return p.refresher.Refresh(ctx, p.organizations[0], p.at("/"))
	})
	if !errors.Is(err, db.ErrNested) || p.pages.visits.Load() != 0 {
		t.Errorf("within a transaction: %v, %d visits", err, p.pages.visits.Load())
	}
}

// Two processes that store the same preview at the same time leave one.
func TestTheSamePreviewStoredAtOnce(t *testing.T) {
	t.Parallel()
	p := newPreviews(t, plenty{}, func(http.ResponseWriter, *http.Request) {})
	url := p.at("/")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			row := preview{url: url, state: stateFetched, metadata: Metadata{Title: fmt.Sprint(i)}}
			if i%2 == 0 {
				row = preview{url: url, state: stateFailed, failure: string(FailedTime)}
			}
			if err := p.refresher.put(t.Context(), p.organizations[0], Hash(url), row); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := p.stored(p.organizations[0], url)[0]; got.State != stateFetched || got.Title == nil {
		t.Errorf("%s: a failure took the place of what was fetched", says(got))
	}
}

func TestUnusedPreviewsAreForgotten(t *testing.T) {
	t.Parallel()
	p := newPreviews(t, plenty{}, func(http.ResponseWriter, *http.Request) {})
	organization, user, meeting := p.organizations[0], db.NewID(), db.NewID()
	urls := []string{p.at("/shown"), p.at("/unused"), p.at("/unused-too"), p.at("/fresh")}
	p.refresh(urls...)
	p.exec("INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi')", user)
	p.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", organization, user)
	p.exec(`INSERT INTO meetings (organization_id, id, title, organizer_id, starts_at_local, time_zone, duration_minutes, created_by, changed_by)
	        VALUES ($1, $2, 'Weekly', $3, localtimestamp, 'Asia/Tokyo', 30, $3, $3)`, organization, meeting, user)
	p.exec("INSERT INTO meeting_materials (organization_id, id, meeting_id, position, url, url_hash) VALUES ($1, $2, $3, 0, $4, $5)", organization, db.NewID(), meeting, urls[0], Hash(urls[0]))
	p.exec("UPDATE link_previews SET expires_at = expires_at - interval '100 days' WHERE url_hash <> $1", Hash(urls[3]))
	forget := func(organization uuid.UUID, most int32) (n int64) {
		t.Helper()
		err := p.store.Write(t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) (err error) {
			n, err = q.DeleteUnusedLinkPreviews(ctx, db.DeleteUnusedLinkPreviewsParams{OrganizationID: organization, Before: time.Now().AddDate(0, 0, -30), PageSize: most})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := []int64{forget(p.organizations[1], 10), forget(organization, 1), forget(organization, 10), forget(organization, 10)}; !slices.Equal(got, []int64{0, 1, 1, 0}) {
		t.Errorf("forgotten: %v", got)
	}
	var left []string
	for i, row := range p.stored(organization, urls...) {
		if row.State != "" {
			left = append(left, urls[i])
		}
	}
	if !slices.Equal(left, []string{urls[0], urls[3]}) {
		t.Errorf("left: %v", left)
	}
}
