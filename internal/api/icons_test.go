package api_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/icon"
)

func iconPath(p *person) string { return member(p) + "/icon" }

func (p *person) sendsIcon(of *person, file []byte, headers ...header) answer {
	p.t.Helper()
	return p.send(http.MethodPut, iconPath(of), file, append([]header{{"Content-Type", "image/png"}}, headers...)...)
}

// underAPI is an address of the server's as tests ask for it.
func underAPI(address string) string { return strings.TrimPrefix(address, "/api/v1") }

func TestAPictureIsMadeAnewAndShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	assert.True(t, get[api.Member](b.viewer, member(b.author)).IconURL.IsNull())
	assert.Contains(t, string(b.author.send(http.MethodGet, "/session", nil).body), `"icon_url":null`)
	b.viewer.send(http.MethodGet, iconPath(b.author), nil).refused(http.StatusNotFound, "not-found")

	put := b.author.sendsIcon(b.author, pictureFile(red)).is(http.StatusOK)
	address := into[api.MemberIcon](put).IconURL
	a := b.viewer.send(http.MethodGet, underAPI(address), nil).is(http.StatusOK)
	p, format, err := image.Decode(bytes.NewReader(a.body))
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, icon.Size, icon.Size), p.Bounds())
	assert.Equal(t, color.NRGBAModel.Convert(red), color.NRGBAModel.Convert(p.At(128, 128)))
	made := iconFile(red)
	assert.Equal(t, made.Content, a.body)
	assert.Equal(t, http.Header{
		"Content-Type": {"image/" + format}, "Content-Length": {fmt.Sprint(len(a.body))}, "Cache-Control": {"private, max-age=31536000, immutable"},
		"Etag": {`"` + hex.EncodeToString(made.Hash[:]) + `"`}, "Vary": {"Cookie, Authorization"}, "X-Content-Type-Options": {"nosniff"}, "Content-Disposition": {"inline"},
		"Content-Security-Policy": {"default-src 'none'; sandbox"}, "Cross-Origin-Resource-Policy": {"same-origin"}, "Referrer-Policy": {"same-origin"},
		"X-Request-Id": a.header["X-Request-Id"], "Date": a.header["Date"],
	}, a.header)

	for what, of := range map[string]func() string{
		"GetMember":  func() string { return get[api.Member](b.viewer, member(b.author)).IconURL.MustGet() },
		"GetSession": func() string { return get[api.Session](b.author, "/session").IconURL.MustGet() },
		"ListMembers": func() string {
			return find(get[api.MemberPage](b.viewer, "/members").Items, b.author).IconURL.MustGet()
		},
		"UpdateMember": func() string {
			return into[api.Member](b.admin.send(http.MethodPatch, member(b.author), fields{"revision": 1, "role": "member"}).is(http.StatusOK)).IconURL.MustGet()
		},
	} {
		assert.Equal(t, address, of(), what)
	}
	assert.True(t, find(get[api.MemberPage](b.viewer, "/members").Items, b.member).IconURL.IsNull())
	assert.JSONEq(t, fmt.Sprintf(`{"content_hash": %q, "content_type": "image/png", "bytes": %d}`, hex.EncodeToString(made.Hash[:]), len(made.Content)),
		value[string](b, "SELECT detail::text FROM audit_events WHERE action = 'member.icon_changed' AND target_id = $1 AND actor_id = $1", b.author.id))
	assert.True(t, value[bool](b, "SELECT bool_and(content_hash = sha256(content)) FROM member_icons"))
}

func find(members []api.Member, p *person) api.Member {
	for _, m := range members {
		if m.ID == p.id {
			return m
		}
	}
	return api.Member{}
}

func TestAPictureIsAskedForAgainUnlessItsAddressNamesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	was, now := b.author.hasIcon(red), iconFile(blue)
	first := get[api.Member](b.viewer, member(b.author)).IconURL.MustGet()
	b.viewer.send(http.MethodGet, underAPI(first), nil).is(http.StatusOK)
	b.author.hasIcon(blue) // by another process: nothing tells this one
	for _, path := range []string{iconPath(b.author), underAPI(first)} {
		a := b.viewer.send(http.MethodGet, path, nil).is(http.StatusOK)
		assert.Equal(t, now.Content, a.body, path)
		assert.Equal(t, "private, no-cache", a.header.Get("Cache-Control"), path)
		assert.NotEqual(t, `"`+hex.EncodeToString(was.Hash[:])+`"`, a.header.Get("ETag"))
	}
	etag := b.viewer.send(http.MethodGet, iconPath(b.author), nil).header.Get("ETag")
	for condition, status := range map[string]int{
		etag: 304, "W/" + etag: 304, `"x", ` + etag: 304, `"x",` + etag + `,"y"`: 304, "*": 304, " * ": 304,
		`"x"`: 200, strings.Trim(etag, `"`): 200, strings.ToUpper(etag): 200, `"` + hex.EncodeToString(was.Hash[:]) + `"`: 200,
	} {
		a := b.viewer.send(http.MethodGet, iconPath(b.author), nil, header{"If-None-Match", condition})
		assert.Equal(t, status, a.status, condition)
		assert.Equal(t, etag, a.header.Get("ETag"), condition)
		assert.Equal(t, "default-src 'none'; sandbox", a.header.Get("Content-Security-Policy"), condition)
		if status == http.StatusNotModified {
			assert.Empty(t, a.body, condition)
		}
	}
	// Whoever has a picture is still asked who they are.
	for _, p := range []*person{b.anonymous, b.suspended, b.removed} {
		p.send(http.MethodGet, iconPath(b.author), nil, header{"If-None-Match", etag}).refused(http.StatusUnauthorized, "signed-out")
	}
	b.elsewhere.send(http.MethodGet, iconPath(b.author), nil, header{"If-None-Match", etag}).refused(http.StatusNotFound, "not-found")
}

// What was shown comes from memory the next time; what is in the database says which it is, and whether there is one.
func TestShownPicturesComeFromMemory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.author.hasIcon(red)
	b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK)
	b.iconsCached(1)
	b.exec("UPDATE member_icons SET content = 'only memory has it'")
	assert.Equal(t, made.Content, b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK).body)
	b.elsewhere.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusNotFound)
	b.author.hasIcon(blue)
	assert.Equal(t, iconFile(blue).Content, b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK).body)
	b.iconsCached(2)
	b.exec("DELETE FROM member_icons")
	b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusNotFound)
}

func TestFilesThatAreNoPicturesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	png := pictureFile(red)
	before := b.content()
	for what, c := range map[string]struct {
		mediaType     string
		file          []byte
		status        int
		kind, pointer string
		code          string
	}{
		"nothing":            {"image/png", []byte{}, 422, "invalid", "", "not-a-picture"},
		"text":               {"image/png", []byte("hello"), 422, "invalid", "", "not-a-picture"},
		"cut off":            {"image/png", png[:len(png)/2], 422, "invalid", "", "unreadable"},
		"a lie":              {"image/jpeg", png, 400, "bad-request", "/header/Content-Type", "type-differs"},
		"SVG":                {"image/svg+xml", []byte("<svg/>"), 400, "bad-request", "/header/Content-Type", "content-type"},
		"SVG as PNG":         {"image/png", []byte("<svg/>"), 422, "invalid", "", "not-a-picture"},
		"JSON":               {"application/json", []byte("{}"), 400, "bad-request", "/header/Content-Type", "content-type"},
		"no type":            {"", png, 400, "bad-request", "/header/Content-Type", "content-type"},
		"any type":           {"image/*", png, 400, "bad-request", "/header/Content-Type", "content-type"},
		"a form":             {"multipart/form-data; boundary=x", png, 400, "bad-request", "/header/Content-Type", "content-type"},
		"too many pixels":    {"image/png", bytes.Replace(png, []byte{0, 0, 1, 44, 0, 0, 0, 200}, []byte{0, 0, 0xff, 44, 0, 0, 0, 200}, 1), 422, "invalid", "", "too-many-pixels"},
		"a byte over 5 MiB":  {"image/png", append(bytes.Clone(png), make([]byte, icon.MaxBytes+1-len(png))...), 413, "too-large", "", ""},
		"far more than that": {"image/png", make([]byte, 3*icon.MaxBytes), 413, "too-large", "", ""},
	} {
		a := b.author.send(http.MethodPut, iconPath(b.author), c.file, header{"Content-Type", c.mediaType})
		a.what += ": " + what
		if c.status == http.StatusRequestEntityTooLarge {
			a.refused(c.status, c.kind)
			continue
		}
		a.refused(c.status, c.kind, c.pointer)
		a.code(c.pointer, c.code)
	}
	b.author.send(http.MethodPut, iconPath(b.author), png, header{"Content-Type", "image/png"}, header{"Content-Encoding", "gzip"}).refused(http.StatusBadRequest, "bad-request", "/header/Content-Encoding")
	assert.Equal(t, before, b.content(), "what is refused changes nothing")
	b.author.sendsIcon(b.author, append(bytes.Clone(png), make([]byte, icon.MaxBytes-len(png))...)).is(http.StatusOK) // exactly 5 MiB
	b.author.sendsIcon(b.author, png, header{"Content-Type", "image/png; charset=binary"}).is(http.StatusOK)
}

// Whoever may not is told so before the file is read. It never comes; net/http itself waits for a small one.
func TestNobodyIsMadeToReadForWhoeverMayNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for p, status := range map[*person]int{b.anonymous: 401, b.suspended: 401, b.viewer: 403, b.lead: 403, b.elsewhere: 404} {
		var dialer net.Dialer
		conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "PUT /api/v1%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: image/png\r\nContent-Length: 5000000\r\n\r\n", iconPath(b.author), p.token)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(patience)))
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err, p.name)
		assert.Equal(t, status, response.StatusCode, p.name)
		response.Body.Close()
		conn.Close()
	}
}

func TestAViewerHasAPictureToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.viewer.sendsIcon(b.viewer, pictureFile(red)).is(http.StatusOK)
	b.viewer.send(http.MethodDelete, iconPath(b.viewer), nil).is(http.StatusNoContent)
	b.viewer.send(http.MethodDelete, iconPath(b.viewer), nil).is(http.StatusNoContent)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'member.icon_removed'"), "there was one to take away")
	b.admin.sendsIcon(b.suspended, pictureFile(red)).is(http.StatusOK)
}

// Of several at once the last one stays, whole.
func TestPicturesAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	b := setup(t)
	files := [][]byte{pictureFile(red), pictureFile(blue), pictureFile(yellow)}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			a, err := b.author.try(http.MethodPut, iconPath(b.author), files[i%3], header{"Content-Type", "image/png"})
			if assert.NoError(t, err) {
				assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
			}
		})
	}
	all.Wait()
	assert.True(t, value[bool](b, "SELECT content_hash = sha256(content) FROM member_icons WHERE user_id = $1", b.author.id))
	assert.Equal(t, 12, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'member.icon_changed'"))
}

// A picture that an address led to never takes the place of one that was chosen by hand.
func TestAnImportKeepsOffWhatWasChosenByHand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	red, blue := iconFile(red), iconFile(blue)
	imports := func(made icon.Icon, from string, p *person) (rows int) {
		t.Helper()
		_, err := b.q.ImportMemberIcon(t.Context(), db.ImportMemberIconParams{OrganizationID: b.id, UserID: p.id, ContentHash: made.Hash[:], ContentType: made.ContentType, Content: made.Content, SourceURL: from})
		if err == nil {
			return 1
		}
		assert.ErrorContains(t, err, "no rows")
		return 0
	}
	assert.Equal(t, 1, imports(red, "https://p.example.com/1", b.author), "there was none")
	assert.Equal(t, 0, imports(red, "https://p.example.com/1", b.author), "the same")
	assert.Equal(t, 1, imports(red, "https://p.example.com/2", b.author), "another address")
	assert.Equal(t, 1, imports(blue, "https://p.example.com/2", b.author), "another picture")
	b.author.sendsIcon(b.author, pictureFile(yellow)).is(http.StatusOK)
	assert.Equal(t, 0, imports(red, "https://p.example.com/3", b.author), "chosen by hand")
	assert.Equal(t, 0, imports(red, "https://p.example.com/1", b.suspended), "suspended")
	assert.Equal(t, 0, imports(red, "https://p.example.com/1", b.elsewhere), "of another organisation")
}

func TestAddressesOfPicturesAreAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.hasIcon(red)
	u, err := url.Parse(get[api.Member](b.viewer, member(b.author)).IconURL.MustGet())
	require.NoError(t, err)
	assert.Equal(t, "/api/v1"+iconPath(b.author), u.Path)
	assert.Regexp(t, "^[0-9a-f]{32}$", u.Query().Get("v"))
}
