package api

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
)

const (
	defaultPage   = 50
	cursorVersion = 1
	cursorMAC     = 16 // bytes of the HMAC that travel: enough that nobody guesses one
)

// position is where a page ended, as (sort key, id): lists in the order of ids leave at zero what they do not need.
type position struct {
	at       time.Time // microseconds are kept, as PostgreSQL does
	revision int64
	id       uuid.UUID
}

// cursors writes and reads the cursors of lists. A cursor is authenticated together with the organisation, the operation and the filters it was made
// for, so that one that was tampered with, or that comes from elsewhere, is refused instead of leading astray.
type cursors struct{ key []byte }

// encode returns the cursor for the page behind p in a list with this fingerprint.
func (c cursors) encode(fingerprint string, p position) string {
	var body bytes.Buffer
	body.WriteByte(cursorVersion)
	var micros int64
	if !p.at.IsZero() {
		micros = p.at.UnixMicro()
	}
	_ = binary.Write(&body, binary.BigEndian, [2]int64{micros, p.revision}) // a buffer takes everything
	body.Write(p.id[:])
	return base64.RawURLEncoding.EncodeToString(append(body.Bytes(), c.mac(fingerprint, body.Bytes())...))
}

// decode reads what encode wrote for the same fingerprint; anything else is a bad request.
func (c cursors) decode(fingerprint, cursor string) (position, error) {
	refused := badRequest(FieldProblem{Pointer: "/query/cursor", Code: "cursor-unknown", Detail: "This is not a cursor of this list with these filters."})
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	const size = 1 + 8 + 8 + 16
	if err != nil || len(raw) != size+cursorMAC || raw[0] != cursorVersion || !hmac.Equal(raw[size:], c.mac(fingerprint, raw[:size])) {
		return position{}, refused
	}
	p := position{revision: int64(binary.BigEndian.Uint64(raw[9:17]))}   //nolint:gosec // what encode wrote was an int64
	if micros := int64(binary.BigEndian.Uint64(raw[1:9])); micros != 0 { //nolint:gosec // and so was this
		p.at = time.UnixMicro(micros).UTC()
	}
	copy(p.id[:], raw[17:33])
	return p, nil
}

func (c cursors) mac(fingerprint string, body []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	_, _ = fmt.Fprintf(h, "%d:%s", len(fingerprint), fingerprint) // a hash takes everything
	_, _ = h.Write(body)
	return h.Sum(nil)[:cursorMAC]
}

// newest is the filter of a list that goes from the latest back.
const newest = "newest"

func newestFirst(asked *LatestFirst) url.Values {
	filters := url.Values{}
	if asked != nil && *asked {
		filters.Set(newest, "true")
	}
	return filters
}

// list is one request for a page: where it begins, and how long it may be.
type list struct {
	cursors     cursors
	fingerprint string
	path        string
	query       url.Values
	from        position
	begins      bool // at the very beginning
	size        int
}

// newList reads limit and cursor. filters are whatever narrows the list; a cursor only holds for the same ones.
func (s *Server) newList(x *exchange, path string, limit *Limit, cursor *Cursor, filters url.Values) (list, error) {
	l := list{cursors: s.cursors, path: path, query: filters, begins: cursor == nil, size: defaultPage,
		fingerprint: x.token.Organization.String() + " " + x.operation.id + " " + path + "?" + filters.Encode()}
	if limit != nil {
		l.size = *limit
	}
	if cursor != nil {
		from, err := s.cursors.decode(l.fingerprint, *cursor)
		if err != nil {
			return list{}, err
		}
		l.from = from
	}
	return l, nil
}

// pageSize is what a query is asked for: one more than is shown tells whether there is more.
func (l list) pageSize() int32 { return int32(l.size) + 1 } //nolint:gosec // at most 200

// back is where a list goes on that goes from the latest id back.
func (l list) back() uuid.UUID {
	if l.begins {
		return uuid.Max
	}
	return l.from.id
}

// page cuts rows to the page, and says what leads on: both nil on the last page.
func page[T any](l list, rows []T, at func(T) position) (items []T, next *NextCursor, link *string) {
	if len(rows) <= l.size {
		return rows, nil, nil
	}
	rows = rows[:l.size]
	cursor, header := l.behind(at(rows[len(rows)-1]))
	return rows, &cursor, &header
}

// behind is what leads to the page behind a position.
func (l list) behind(p position) (cursor NextCursor, link string) {
	cursor = l.cursors.encode(l.fingerprint, p)
	query := url.Values{"cursor": {cursor}, "limit": {fmt.Sprint(l.size)}}
	for name, values := range l.query {
		query[name] = values
	}
	return cursor, fmt.Sprintf("<%s%s?%s>; rel=\"next\"", basePath, l.path, query.Encode())
}
