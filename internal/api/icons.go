package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jackc/pgx/v5"
	"github.com/oapi-codegen/nullable"
	"golang.org/x/sync/semaphore"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/icon"
)

const (
	iconPatience   = 20 * time.Second // the longest wait for a picture's turn, and for its decoding
	iconCacheBytes = 32 << 20         // per process; some thousand icons
	receivingBytes = 16 << 20         // of files that are being sent or wait for their turn, per process
	receivingStep  = 64 << 10
	versionLength  = 32 // characters of the hash that make an icon's address its own
)

// pictures is what a process has for all of its icons.
type pictures struct {
	maker     *icon.Maker
	cache     *iconCache
	receiving *semaphore.Weighted
}

func newPictures() pictures {
	return pictures{maker: icon.NewMaker(), cache: newIconCache(iconCacheBytes), receiving: semaphore.NewWeighted(receivingBytes)}
}

// iconURL is the address of an icon. It names the picture too, so that what is kept under it never becomes wrong.
func iconURL(member uuid.UUID, hash []byte) string {
	return fmt.Sprintf("%s/members/%s/icon?v=%s", basePath, member, iconVersion(hash))
}

func iconVersion(hash []byte) string { return hex.EncodeToString(hash)[:versionLength] }

// icons are the addresses of the icons of those members who have one.
type icons map[uuid.UUID]string

func iconsOf(ctx context.Context, q *db.Queries, organization uuid.UUID, members ...uuid.UUID) (icons, error) {
	rows, err := q.ListMemberIconHashes(ctx, db.ListMemberIconHashesParams{OrganizationID: organization, UserIDs: members})
	if err != nil {
		return nil, err
	}
	found := make(icons, len(rows))
	for _, r := range rows {
		found[r.UserID] = iconURL(r.UserID, r.ContentHash)
	}
	return found, nil
}

// of is a member's address, or null.
func (i icons) of(member uuid.UUID) nullable.Nullable[string] {
	if url, ok := i[member]; ok {
		return nullable.NewNullableWithValue(url)
	}
	return nullable.NewNullNullable[string]()
}

// GetMemberIcon answers with a picture. The database says at each request who may see it and which one it is; only its bytes come from the cache. It is the one place that answers a condition
// with 304: the ETag is the hash of the very bytes, no revision that an edit could be made from, and what is saved is all of the answer.
func (s *Server) GetMemberIcon(ctx context.Context, request GetMemberIconRequestObject) (GetMemberIconResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetMemberIconResponseObject, error) {
		key := iconKey{a.OrganizationID, request.MemberID}
		present, err := q.GetMemberIconHash(ctx, db.GetMemberIconHashParams{OrganizationID: a.OrganizationID, UserID: request.MemberID})
		if errors.Is(err, pgx.ErrNoRows) {
			s.pictures.cache.remove(key)
			return nil, errNotFound
		}
		if err != nil {
			return nil, err
		}
		p := picture{hash: [sha256.Size]byte(present.ContentHash), contentType: present.ContentType}
		named := request.Params.V != nil && *request.Params.V == iconVersion(present.ContentHash)
		if request.Params.IfNoneMatch != nil && p.isOneOf(*request.Params.IfNoneMatch) {
			return unchangedPicture{p, named}, nil
		}
		if cached, ok := s.pictures.cache.get(key, p.hash); ok {
			return shownPicture{cached, named}, nil
		}
		stored, err := q.GetMemberIcon(ctx, db.GetMemberIconParams{OrganizationID: a.OrganizationID, UserID: request.MemberID})
		if err != nil {
			return nil, err
		}
		p.content = stored.Content
		background.Defer(ctx, "icon-cache", func(context.Context) error {
			s.pictures.cache.put(key, p)
			return nil
		}, background.Retains(len(p.content)))
		return shownPicture{p, named}, nil
	})
}

// picture is an icon as it is answered.
type picture struct {
	hash        [sha256.Size]byte
	contentType string
	content     []byte // never changed
}

func (p picture) etag() string { return `"` + hex.EncodeToString(p.hash[:]) + `"` }

// isOneOf reports whether a client that sends this If-None-Match has the picture. The comparison is the weak one, as RFC 9110 has it there.
func (p picture) isOneOf(condition string) bool {
	if strings.TrimSpace(condition) == "*" {
		return true
	}
	return slices.ContainsFunc(strings.Split(condition, ","), func(tag string) bool {
		return strings.TrimPrefix(strings.TrimSpace(tag), "W/") == p.etag()
	})
}

// describe sets what both answers say of a picture. Whatever a browser may come to take it for, it can load and run nothing, and other origins cannot show it.
func (p picture) describe(header http.Header, named bool) {
	header.Set("ETag", p.etag())
	header.Set("Cache-Control", "private, no-cache")
	if named {
		header.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	header.Set("Vary", "Cookie, Authorization")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Content-Disposition", "inline")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}

type (
	shownPicture struct {
		picture
		named bool // by the right v
	}
	unchangedPicture struct {
		picture
		named bool
	}
)

// VisitGetMemberIconResponse writes the picture.
func (p shownPicture) VisitGetMemberIconResponse(w http.ResponseWriter) error {
	p.describe(w.Header(), p.named)
	w.Header().Set("Content-Type", p.contentType)
	w.Header().Set("Content-Length", fmt.Sprint(len(p.content)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(p.content)
	return err
}

// VisitGetMemberIconResponse says that what the client has is right.
func (p unchangedPicture) VisitGetMemberIconResponse(w http.ResponseWriter) error {
	p.describe(w.Header(), p.named)
	w.WriteHeader(http.StatusNotModified)
	return nil
}

// PutMemberIcon gives a member a picture. Who asks is looked at before the file is read, and again in the transaction of the change; between them, no connection is held.
func (s *Server) PutMemberIcon(ctx context.Context, request PutMemberIconRequestObject) (PutMemberIconResponseObject, error) {
	_, err := read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (struct{}, error) {
		return struct{}{}, mayChangeIcon(ctx, q, a, request.MemberID)
	})
	if err != nil {
		return nil, err
	}
	file, release, err := s.pictures.receive(request.Body)
	defer release()
	if err != nil {
		return nil, err
	}
	making, cancel := context.WithTimeout(ctx, iconPatience)
	defer cancel()
	made, err := s.pictures.maker.Make(making, request.ContentType, file)
	if err != nil {
		return nil, iconProblem(err)
	}
	x := *exchangeOf(ctx)
	payload := sha256.New()
	_, _ = fmt.Fprintf(payload, "PUT %s\n", request.MemberID) // a hash takes everything
	_, _ = payload.Write(file)
	payload.Sum(x.payload[:0])
	return write(withExchange(ctx, &x), s, func(ctx context.Context, q *db.Queries, a actor) (PutMemberIconResponseObject, error) {
		if err := mayChangeIcon(ctx, q, a, request.MemberID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		err := q.PutMemberIcon(ctx, db.PutMemberIconParams{OrganizationID: a.OrganizationID, UserID: request.MemberID,
			ContentHash: made.Hash[:], ContentType: made.ContentType, Content: made.Content})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "member.icon_changed", targetKind: "member", target: request.MemberID, detail: iconDetail(made)})
		return PutMemberIcon200Response{Body: MemberIcon{IconURL: iconURL(request.MemberID, made.Hash[:])}}, err
	})
}

func iconDetail(made icon.Icon) map[string]any {
	return map[string]any{"content_hash": hex.EncodeToString(made.Hash[:]), "content_type": made.ContentType, "bytes": len(made.Content)}
}

// mayChangeIcon: one's own, or an admin anybody's. Whoever is not there is the error.
func mayChangeIcon(ctx context.Context, q *db.Queries, a actor, member uuid.UUID) error {
	if _, err := q.GetMember(ctx, db.GetMemberParams{OrganizationID: a.OrganizationID, UserID: member}); err != nil {
		return err
	}
	if member != a.UserID && !a.administers() {
		return errNotAllowed
	}
	return nil
}

// receive reads a file that is being sent. All of them together have a bound on memory: a file counts for as much as has come of it, until release is called.
func (p *pictures) receive(body io.Reader) (file []byte, release func(), err error) {
	held := int64(0)
	release = func() { p.receiving.Release(held) }
	step := make([]byte, receivingStep)
	for {
		if !p.receiving.TryAcquire(receivingStep) {
			return nil, release, unavailable("overloaded", "Too many pictures are being sent already")
		}
		held += receivingStep
		n, err := io.ReadFull(body, step)
		file = append(file, step[:n]...)
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			return nil, release, &problem{status: errTooLarge.status, kind: errTooLarge.kind, title: errTooLarge.title, detail: fmt.Sprintf("A picture has at most %d bytes.", tooLarge.Limit)}
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return file, release, nil
		case err != nil:
			return nil, release, badRequest(FieldProblem{Pointer: "", Code: "body-incomplete", Detail: "The body broke off."})
		}
	}
}

func iconProblem(err error) error {
	var refused *icon.RefusedError
	switch {
	case errors.As(err, &refused) && refused.Code == "type-differs":
		return badRequest(FieldProblem{Pointer: "/header/Content-Type", Code: refused.Code, Detail: refused.Detail})
	case errors.As(err, &refused):
		return invalid(FieldProblem{Pointer: "", Code: refused.Code, Detail: refused.Detail})
	case errors.Is(err, icon.ErrBusy):
		return unavailable("overloaded", "Too many pictures are being looked at already")
	}
	return err
}

// DeleteMemberIcon takes a picture away.
func (s *Server) DeleteMemberIcon(ctx context.Context, request DeleteMemberIconRequestObject) (DeleteMemberIconResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (DeleteMemberIconResponseObject, error) {
		if err := mayChangeIcon(ctx, q, a, request.MemberID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		_, err := q.DeleteMemberIcon(ctx, db.DeleteMemberIconParams{OrganizationID: a.OrganizationID, UserID: request.MemberID})
		if errors.Is(err, pgx.ErrNoRows) {
			return DeleteMemberIcon204Response{}, nil // as it was to be
		}
		if err != nil {
			return nil, err
		}
		return DeleteMemberIcon204Response{}, record(ctx, q, a, event{action: "member.icon_removed", targetKind: "member", target: request.MemberID})
	})
}

type iconKey struct{ organization, member uuid.UUID }

// iconCache keeps the bytes of icons that were shown, at most one for each member, and so many bytes of all. It is asked with the hash that the database has, so it
// never gives out what was replaced, also by another process; what turns out to have been is dropped.
type iconCache struct {
	most int

	mu      sync.Mutex
	bytes   int
	entries *simplelru.LRU[iconKey, picture]
}

// iconOverhead is what an entry takes beside its bytes, about.
const iconOverhead = 400

func newIconCache(most int) *iconCache {
	c := &iconCache{most: most}
	c.entries, _ = simplelru.NewLRU(most/iconOverhead, func(_ iconKey, p picture) { c.bytes -= p.size() }) // its only error is a size of nothing
	return c
}

func (p picture) size() int { return len(p.content) + iconOverhead }

func (c *iconCache) get(key iconKey, hash [sha256.Size]byte) (picture, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.entries.Get(key)
	if ok && p.hash != hash {
		c.entries.Remove(key)
		return picture{}, false
	}
	return p, ok
}

func (c *iconCache) put(key iconKey, p picture) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
	c.entries.Add(key, p)
	for c.bytes += p.size(); c.bytes > c.most; {
		c.entries.RemoveOldest()
	}
}

func (c *iconCache) remove(key iconKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
}
