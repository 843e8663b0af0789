package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

// strangeQueries are, for each kind of query parameter, what it cannot be.
var strangeQueries = map[string][]string{
	"limit":    {"0", "-1", "201", "abc", "1e9", "1.5", "", "99999999999999999999", "0x10", "１", "1 ", "\x00", "\xff"},
	"cursor":   {"", "x", strings.Repeat("A", 66), strings.Repeat("A", 500), strings.Repeat("A", 60_000), "\x00", "\xff", "AQ==", "'"},
	"uuid":     append([]string{"", "x", "\x00", "\xff"}, strangeIDs...),
	"state":    {"", "open", "DRAFT", "draft ", "\x00", "\xff"},
	"archived": {"", "maybe", "1.0", "\x00", "\xff"},
	"newest":   {"", "maybe", "1.0", "\x00", "\xff"},

	// Alignment, Search
	"health":    {"", "fine", "ON_TRACK", "\x00", "\xff"},
	"outdated":  {"", "maybe", "1.0", "\x00", "\xff"},
	"text":      {"", strings.Repeat("目", 201), "a\x00b", "\xff"},
	"q":         {"", strings.Repeat("目", 201), "a\x00b", "\xff"},
	"order":     {"", "id", "TITLE", "\x00", "\xff"},
	"kind":      {"", "cycle", "objectives", "\x00", "\xff"},
	"direction": {"", "up", "\x00", "\xff"},

	// Pictures
	"v":         {"", "x", strings.Repeat("a", 31), strings.Repeat("a", 33), strings.Repeat("A", 32), strings.Repeat("g", 32), strings.Repeat("a", 31) + "\n", "\x00", "\xff"},
	"return_to": strangePaths,
	"attempt":   {"", strings.Repeat("s", 201), "a\x00b", "a\nb", "\xff"},
	"code":      {"", strings.Repeat("c", 4001), "a\x00b", "a\nb", "\xff"},
	"error":     {"", strings.Repeat("e", 201), "a\x00b", "a\nb", "\xff"},
	"iss":       {"", strings.Repeat("i", 501), "a\x00b", "a\nb", "\xff"},
	// Invitations
	"open": {"", "maybe", "1.0", "\x00", "\xff"},
	// Workbooks
	"sheet": {"", strings.Repeat("目", 101), "a\x00b", "\xff"},
	// Tokens
	"whose": {"", "mine", "ALL", "\x00", "\xff"},
	// Organization
	"action":      {"", strings.Repeat("a", 61), "a\x00b", "\xff"},
	"target_kind": {"", strings.Repeat("a", 41), "a\x00b", "\xff"},
	// Inbox
	"unread":  {"", "maybe", "1.0", "\x00", "\xff"},
	"seconds": {"", "-1", "301", "abc", "1.5", "１", "\x00", "\xff"},
	"from":    strangeTimes,
	"before":  strangeTimes,
	// Names
	"ids": {"", "x", ",", uuid.NewString() + ",", strings.Join(slices.Repeat([]string{uuid.Nil.String()}, 2), ","), strings.Join(manyIDs(101), ","), "\x00", "\xff"},
	// Dashboard
	"as_of": strangeTimes,
	// Exchange
	"file_name": {"", strings.Repeat("名", 256), "a\x00b", "\xff"},
	"encoding":  {"", "utf-7", "UTF-8", "\x00", "\xff"},
	"separator": {"", ",", "COMMA", "\x00", "\xff"},
	"format":    {"", "xlsx", "CSV", "\x00", "\xff"},
	"result":    {"", "fine", "REFUSED", "\x00", "\xff"},
}

var strangeHeaders = map[string][]string{
	"If-Match":        {"", "*", `W/"1"`, "1", `"x"`, `"0"`, `"-1"`, `"+1"`, `"01"`, `"1`, `1"`, `""`, `"1", "2"`, `"99999999999999999999"`, `"` + strings.Repeat("1", 200) + `"`, "\xff", `"1e0"`},
	"Idempotency-Key": {"", strings.Repeat("k", 201), strings.Repeat("鍵", 201), "\xff", "\xc0\x80"},
	"Last-Event-ID":   append([]string{"", "x", "\xff"}, strangeIDs...),
	"Survey-Secret":   {"", "x", "kka_" + strings.Repeat("A", 42), "kka_" + strings.Repeat("A", 44), "kks_" + strings.Repeat("A", 43), "kka_" + strings.Repeat("字", 43), "\xff", "kka_" + strings.Repeat("B", 43)},
	"If-None-Match":   {"", strings.Repeat("x", 501)},
	"Content-Type":    {"", "text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "application", ";", "\xff"},
}

func manyIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	return ids
}

func TestStrangeParametersAreRefusedByName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []call
	for _, name := range names(func(o operation) bool { return len(o.parameters) > 0 || o.body() != nil }) {
		all = append(all, b.call(name, okr.VisibleToOrganization))
	}
	before := b.content()
	t.Run("operations", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.spec.OperationID, func(t *testing.T) {
				t.Parallel()
				for _, ref := range c.operation.parameters {
					switch p := ref.Value; p.In {
					case "path":
						strange := append([]string{"x", "\x00", "\xff", strings.Repeat("9", 10_000)}, strangeIDs...)
						for _, v := range strange {
							there := c
							there.parameters = with(c.parameters, p.Name, url.PathEscape(v))
							assertNamed(t, there.send(c.by), fmt.Sprintf("%q", v), "/path/"+p.Name)
						}
					case "query":
						kind := p.Name
						if p.Schema.Value.Format == "uuid" {
							kind = "uuid"
						}
						if kind == "state" && c.spec.OperationID == "FinishOIDC" {
							kind = "attempt"
						}
						assert.Contains(t, strangeQueries, kind, "nobody has thought of what this parameter cannot be")
						for _, v := range strangeQueries[kind] {
							a := c.by.send(c.method, c.url()+"?"+url.Values{p.Name: {v}}.Encode(), nil, c.headers...)
							assertNamed(t, a, fmt.Sprintf("%q", v), "/query/"+p.Name)
						}
						assertNamed(t, c.by.send(c.method, c.url()+"?"+url.Values{p.Name: {"1", "1"}}.Encode(), nil, c.headers...), "twice", "/query/"+p.Name)
					case "header":
						for _, v := range strangeHeaders[p.Name] {
							assertNamed(t, c.send(c.by, header{p.Name, v}), fmt.Sprintf("%q", v), "/header/"+p.Name)
						}
						assertNamed(t, c.send(c.by, header{p.Name, `"1"`}, header{p.Name, `"1"`}), "twice", "/header/"+p.Name)
					}
				}
				if c.body() != nil {
					for _, v := range strangeHeaders["Content-Type"] {
						assertNamed(t, c.send(c.by, header{"Content-Type", v}), fmt.Sprintf("%q", v), "/header/Content-Type")
					}
				}
			})
		}
	})
	assert.Equal(t, before, b.content(), "what is refused changes nothing")
}

func TestACursorHoldsForItsListAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 3 {
		b.author.draft()
	}
	first := get[api.ObjectivePage](b.author, "/objectives?limit=1&cycle_id="+b.cycle.String())
	cursor := *first.NextCursor
	tampered := []byte(cursor)
	tampered[20] ^= 1
	for what, path := range map[string]string{
		"no filter":             "/objectives?cursor=" + cursor,
		"another filter":        "/objectives?state=draft&cycle_id=" + b.cycle.String() + "&cursor=" + cursor,
		"another cycle":         "/objectives?cycle_id=" + b.newCycle("active", 0, 1).String() + "&cursor=" + cursor,
		"another list":          "/teams?cursor=" + cursor,
		"tampered":              "/objectives?cycle_id=" + b.cycle.String() + "&cursor=" + string(tampered),
		"with padding":          "/objectives?cycle_id=" + b.cycle.String() + "&cursor=" + cursor + "%3D%3D",
		"with something behind": "/objectives?cycle_id=" + b.cycle.String() + "&cursor=" + cursor + "AAAA",
		"without its end":       "/objectives?cycle_id=" + b.cycle.String() + "&cursor=" + cursor[:len(cursor)-4],
		"comments of another":   "/objectives/" + first.Items[0].ID.String() + "/comments?cursor=" + cursor,
		"another organisation":  "",
	} {
		asking := b.author
		if path == "" {
			asking, path = b.elsewhere, "/objectives?cycle_id="+b.cycle.String()+"&cursor="+cursor
		}
		a := asking.send(http.MethodGet, path, nil)
		a.what += ": " + what
		a.refused(http.StatusBadRequest, "bad-request", "/query/cursor")
		a.code("/query/cursor", "cursor-unknown")
	}
	b.author.send(http.MethodGet, "/objectives?limit=2&cycle_id="+b.cycle.String()+"&cursor="+cursor, nil).is(http.StatusOK) // another size may go on
}

func TestJunkInHeadersThatNobodyDescribedDoesNoHarm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	for _, h := range []header{
		{"X-Request-Id", "\xff"}, {"X-Request-Id", strings.Repeat("x", 10_000)}, {"X-Request-Id", "a b"}, {"X-Request-Id", "<script>"},
		{"User-Agent", "\xff\xfe"}, {"User-Agent", strings.Repeat("界", 5_000)}, {"X-Forwarded-For", "\xff, ::1%eth0"}, {"X-Forwarded-Proto", "https"},
		{"Cookie", "kakeai=\xff; kakeai=x"}, {"Accept", "\xff"}, {"Accept-Encoding", "bogus"}, {"Range", "bytes=0-1"},
	} {
		a := b.author.send(http.MethodPost, "/objectives/"+o.ID.String()+"/comments", fields{"body": "はい"}, h).is(http.StatusCreated)
		assert.Regexp(t, `^[A-Za-z0-9._-]{8,100}$`, a.header.Get("X-Request-Id"))
	}
	for _, authorization := range []string{"", "Bearer", "Bearer ", "Bearer x", "Bearer kks_", "Bearer " + strings.Repeat("A", 50_000), "Bearer \xff", "Basic YTpi", "Bearer " + b.author.token + "A", "Bearer " + b.author.token + "="} {
		b.author.send(http.MethodGet, "/session", nil, header{"Authorization", authorization}).refused(http.StatusUnauthorized, "signed-out")
	}
}

func TestPathsThatAreNoneAreProblemsToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, status := range map[string]int{
		"/": 404, "/objectives/": 404, "//objectives": 404, "/objectives/x/y/z": 404, "/Objectives": 404, "/teams/%2e%2e/members": 400, "/teams/..%2fmembers": 400,
		"/" + strings.Repeat("a", 10_000): 404, "/%00": 404, "/%ff": 404,
	} {
		b.owner.send(http.MethodGet, path, nil).is(status).problem()
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, "BREW"} {
		b.owner.send(method, "/objectives", nil).refused(http.StatusMethodNotAllowed, "method-not-allowed")
	}
}
