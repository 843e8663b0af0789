package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/kakeai/kakeai/internal/db"
)

// Budget bounds the fetches of a process; see internal/budget.
type Budget interface {
	Take() bool
}

// How long a preview is good for.
const (
	fetchedFor = 7 * 24 * time.Hour
	nothingFor = 24 * time.Hour // after a refusal or a failure, so that what is broken is not asked for again and again
)

const (
	atATime   = 4   // links of one Refresh
	perLookup = 500 // what one query takes
)

// The states of a preview, as in link_previews.
const (
	stateFetched = "fetched"
	stateRefused = "refused"
	stateFailed  = "failed"
)

// Refresher keeps the previews of an organisation's links. What it fetches it fetches outside any transaction, and within a budget.
type Refresher struct {
	store    *db.Store
	client   *Client
	budget   Budget
	log      *slog.Logger
	rows     singleflight.Group // by organisation and URL, until the row is written
	pages    singleflight.Group // by URL
	counters previewTally
}

// NewRefresher makes a Refresher. A fetch is made only if the budget has one left, which is then spent, whatever comes of it.
func NewRefresher(store *db.Store, client *Client, budget Budget, log *slog.Logger) *Refresher {
	return &Refresher{store: store, client: client, budget: budget, log: log}
}

// Refresh fetches the previews that are missing or outdated, and returns when they are stored. That a page cannot be had is no error: it is stored, so that it is not asked for again soon. Where the budget
// is used up, previews stay as they are; that is counted, and no error either. Errors are those of the database and of the context. Many may ask for the same at the same time: it is fetched once.
func (r *Refresher) Refresh(ctx context.Context, organization uuid.UUID, urls ...string) error {
	byHash := map[string]string{}
	var hashes [][]byte
	for _, url := range urls {
		if hash := Hash(url); byHash[string(hash)] == "" {
			byHash[string(hash)] = url
			hashes = append(hashes, hash)
		}
	}
	var faults []error
	for some := range slices.Chunk(hashes, perLookup) {
		missing, err := r.missing(ctx, organization, some)
		if err != nil {
			return err
		}
		var all errgroup.Group
		all.SetLimit(atATime)
		failed := make([]error, len(missing))
		for i, hash := range missing {
			all.Go(func() error {
				failed[i] = r.refresh(ctx, organization, hash, byHash[string(hash)])
				return nil // one that cannot be stored is no reason to leave the others
			})
		}
		_ = all.Wait()
		faults = append(faults, failed...)
	}
	return errors.Join(faults...)
}

// missing are those of the hashes whose preview is not fresh.
func (r *Refresher) missing(ctx context.Context, organization uuid.UUID, hashes [][]byte) (missing [][]byte, err error) {
	var fresh [][]byte
	err = r.store.Read(ctx, db.Scope{Organization: organization, Class: db.Background}, func(ctx context.Context, q *db.Queries) (err error) {
		fresh, err = q.ListFreshLinkPreviewHashes(ctx, db.ListFreshLinkPreviewHashesParams{OrganizationID: organization, UrlHashes: hashes})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("fetch: which previews are fresh: %w", err)
	}
	for _, hash := range hashes {
		if !slices.ContainsFunc(fresh, func(f []byte) bool { return slices.Equal(f, hash) }) {
			missing = append(missing, hash)
		}
	}
	return missing, nil
}

// refresh fetches and stores one preview. Whoever comes while it runs gets what comes of it; whoever comes after it looks again and finds it fresh.
func (r *Refresher) refresh(ctx context.Context, organization uuid.UUID, hash []byte, url string) error {
	_, err := once(ctx, &r.rows, organization.String()+string(hash), func() (struct{}, error) {
		switch missing, err := r.missing(ctx, organization, [][]byte{hash}); {
		case err != nil:
			return struct{}{}, err
		case len(missing) == 0:
			return struct{}{}, nil
		}
		p, err := once(ctx, &r.pages, string(hash), func() (*preview, error) { return r.preview(ctx, url) })
		if err != nil || p == nil {
			return struct{}{}, err
		}
		return struct{}{}, r.put(ctx, organization, hash, *p)
	})
	return err
}

// errLeft is what those get who waited for somebody whose own context ended.
var errLeft = errors.New("fetch: given up by another caller")

// once does what only one at a time shall do for a key, and gives all who want it meanwhile what comes of it.
func once[T any](ctx context.Context, flights *singleflight.Group, key string, work func() (T, error)) (T, error) {
	for {
		got, err, _ := flights.Do(key, func() (any, error) {
			got, err := work()
			if ctx.Err() != nil {
				return got, fmt.Errorf("%w: %w", errLeft, context.Cause(ctx))
			}
			return got, err
		})
		if ctx.Err() != nil {
			var none T
			return none, context.Cause(ctx)
		}
		if !errors.Is(err, errLeft) {
			return got.(T), err //nolint:forcetypeassert // work has made it
		}
	}
}

// preview is what came of fetching a link.
type preview struct {
	url      string
	state    string
	metadata Metadata
	failure  string
}

// preview fetches a page and reads its head. It is nil where nothing was done, and nothing shall be stored: for want of budget, or of a place.
func (r *Refresher) preview(ctx context.Context, raw string) (p *preview, err error) {
	defer func() {
		if panicked := recover(); panicked != nil { // what reads strangers' pages is the likeliest to; kept as a failure, so that the page is not read again right away
			r.log.ErrorContext(ctx, "reading a page panicked", "panic", fmt.Sprint(panicked), "stack", string(debug.Stack()))
			r.counters.failed.Add(1)
			p, err = &preview{url: storable(raw), state: stateFailed, failure: "panic"}, nil
		}
	}()
	url, err := Normalise(raw)
	if err != nil {
		r.counters.refused.Add(1)
		return &preview{url: storable(raw), state: stateRefused, failure: string(ReasonOf(err))}, nil
	}
	if !r.budget.Take() {
		if r.counters.overBudget.Add(1)%100 == 1 {
			r.log.WarnContext(ctx, "the budget for previews of links is used up: they stay as they are", "so_far", r.counters.overBudget.Load())
		}
		return nil, nil
	}
	p = &preview{url: url}
	status := 0
	err = r.client.get(ctx, url, Limits{Bytes: maxHead, Truncate: true, Accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"}, func(response *Response, body io.Reader) error {
		if status = response.Status; status < http.StatusOK || status >= http.StatusMultipleChoices {
			return nil
		}
		from, err := parseURL(response.URL)
		if err != nil {
			return err
		}
		p.metadata, err = readMetadata(body, response.Header.Get("Content-Type"), from)
		return err
	})
	switch reason := ReasonOf(err); {
	case err != nil && reason == "": // the context ended
		return nil, err
	case reason == FailedBusy:
		r.counters.busy.Add(1)
		return nil, nil
	case reason.refused():
		r.counters.refused.Add(1)
		p.state, p.failure = stateRefused, string(reason)
	case err != nil:
		r.counters.failed.Add(1)
		p.state, p.failure = stateFailed, string(reason)
	case status < http.StatusOK || status >= http.StatusMultipleChoices:
		r.counters.failed.Add(1)
		p.state, p.failure = stateFailed, fmt.Sprintf("%s %d", FailedStatus, status)
	default:
		r.counters.fetched.Add(1)
		p.state = stateFetched
	}
	return p, nil
}

func (r *Refresher) put(ctx context.Context, organization uuid.UUID, hash []byte, p preview) error {
	if p.url == "" {
		return nil
	}
	row := db.PutLinkPreviewParams{OrganizationID: organization, UrlHash: hash, Url: p.url, State: p.state, Failure: said(p.failure), Seconds: nothingFor.Seconds()}
	if p.state == stateFetched {
		row.Seconds = fetchedFor.Seconds()
		row.Title, row.Description, row.SiteName, row.ImageUrl = said(p.metadata.Title), said(p.metadata.Description), said(p.metadata.SiteName), said(p.metadata.ImageURL)
	}
	err := r.store.Write(ctx, db.Scope{Organization: organization, Class: db.Background}, func(ctx context.Context, q *db.Queries) error {
		return q.PutLinkPreview(ctx, row)
	})
	if err != nil {
		return fmt.Errorf("fetch: a preview could not be stored: %w", err)
	}
	return nil
}

func said(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// storable is a text that was no URL, as it can be kept: to find it again there is its hash.
func storable(raw string) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(raw, "\ufffd"), "\x00", "")
	if runes := []rune(text); len(runes) > maxURL {
		text = string(runes[:maxURL])
	}
	return text
}

// PreviewStats is what a Refresher has done since it was made.
type PreviewStats struct {
	Fetched    int64
	Refused    int64 // that lead where nobody is sent
	Failed     int64
	OverBudget int64 // left as they were, because the budget was used up
	Busy       int64 // left as they were, because too much was being fetched
}

type previewTally struct{ fetched, refused, failed, overBudget, busy atomic.Int64 }

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (r *Refresher) Stats() PreviewStats {
	c := &r.counters
	return PreviewStats{Fetched: c.fetched.Load(), Refused: c.refused.Load(), Failed: c.failed.Load(), OverBudget: c.overBudget.Load(), Busy: c.busy.Load()}
}
