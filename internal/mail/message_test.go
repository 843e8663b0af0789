package mail

import (
	"bufio"
	"bytes"
	"mime"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func aLetter() letter {
	return letter{id: uuid.MustParse("0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77"), locale: "ja", from: mail.Address{Name: "みなと製作所 (Kakeai)", Address: "okr@example.com"},
		to: mail.Address{Name: "佐藤 葵", Address: "aoi.sato+okr@example.co.jp"}, subject: "レビューをお願いします：最初に答える", text: "本文です。\nhttps://okr.example.com/objectives/1\n", html: "<p>本文です。</p>",
		date: time.Date(2026, 11, 30, 9, 0, 0, 0, time.FixedZone("", 9*3600)), unsubscribe: "https://okr.example.com/unsubscribe?token=" + strings.Repeat("x", 87)}
}

func composed(t require.TestingT, l letter) (*Opened, string) {
	m, err := compose(l)
	require.NoError(t, err)
	assertWire(t, m.Raw)
	o, err := Open(m.Raw)
	require.NoError(t, err, string(m.Raw))
	return o, string(m.Raw)
}

// assertWire requires what any server takes: ASCII in lines that are not too long and that end as lines of mails do.
func assertWire(t require.TestingT, raw []byte) {
	bare := bytes.ReplaceAll(raw, []byte("\r\n"), nil)
	assert.NotContains(t, string(bare), "\r")
	assert.NotContains(t, string(bare), "\n")
	assert.Less(t, bytes.IndexFunc(raw, func(r rune) bool { return r > 126 || r < ' ' && r != '\r' && r != '\n' && r != '\t' }), 0, string(raw))
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		limit := 78
		if strings.Contains(lines.Text(), "https://") {
			limit = 998 // an address is not broken
		}
		assert.LessOrEqual(t, len(lines.Text()), limit, lines.Text())
	}
	require.NoError(t, lines.Err())
}

func TestALetterIsWhatStandardsAskFor(t *testing.T) {
	t.Parallel()
	o, raw := composed(t, aLetter())
	assert.Equal(t, "レビューをお願いします：最初に答える", o.Subject)
	assert.Equal(t, "みなと製作所 (Kakeai) <okr@example.com>", o.From)
	assert.Equal(t, "佐藤 葵 <aoi.sato+okr@example.co.jp>", o.To)
	assert.Equal(t, "本文です。\r\nhttps://okr.example.com/objectives/1\r\n", o.Text)
	assert.Equal(t, "<p>本文です。</p>", o.HTML)
	assert.Empty(t, o.Attachments)
	headers := map[string]string{}
	for _, h := range o.Headers {
		assert.NotContains(t, headers, h.Name, "twice")
		headers[h.Name] = h.Value
	}
	assert.Equal(t, "<0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77@example.com>", headers["Message-ID"])
	assert.Equal(t, "Mon, 30 Nov 2026 09:00:00 +0900", headers["Date"])
	assert.Equal(t, "auto-generated", headers["Auto-Submitted"])
	assert.Equal(t, "<"+aLetter().unsubscribe+">", headers["List-Unsubscribe"])
	assert.Equal(t, "List-Unsubscribe=One-Click", headers["List-Unsubscribe-Post"])
	assert.Equal(t, "ja", headers["Content-Language"])
	assert.Equal(t, "1.0", headers["MIME-Version"])
	assert.Contains(t, headers["Content-Type"], "multipart/alternative")
	assert.NotContains(t, headers, "User-Agent")
	assert.NotContains(t, raw, "go-mail")

	plain := aLetter()
	plain.unsubscribe = "http://okr.intranet/unsubscribe?token=x"
	_, raw = composed(t, plain)
	assert.Contains(t, raw, "List-Unsubscribe: <http://okr.intranet/unsubscribe?token=x>")
	assert.NotContains(t, raw, "List-Unsubscribe-Post", "one click is promised over HTTPS alone")

	plain.unsubscribe = ""
	_, raw = composed(t, plain)
	assert.NotContains(t, raw, "List-Unsubscribe")
}

// A second sending has the same Message-ID, so that whoever gets both can tell.
func TestTheMessageIDIsThatOfTheMail(t *testing.T) {
	t.Parallel()
	l := aLetter()
	first, _ := composed(t, l)
	l.date, l.subject = l.date.Add(time.Hour), "changed meanwhile"
	second, _ := composed(t, l)
	id := func(o *Opened) (id string) {
		for _, h := range o.Headers {
			if h.Name == "Message-ID" {
				id = h.Value
			}
		}
		return id
	}
	assert.Equal(t, id(first), id(second))
	assert.NotEmpty(t, id(first))
}

func TestACalendarIsBesideTheTextAndAttached(t *testing.T) {
	t.Parallel()
	l := aLetter()
	l.calendar, l.method = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:週次\r\nEND:VCALENDAR\r\n", "REQUEST"
	o, raw := composed(t, l)
	require.Len(t, o.Attachments, 2)
	kind, parameters, err := mime.ParseMediaType(o.Attachments[0].Type)
	require.NoError(t, err)
	assert.Equal(t, "text/calendar", kind)
	assert.Equal(t, map[string]string{"method": "REQUEST", "charset": "UTF-8"}, parameters)
	assert.Equal(t, "invite.ics", o.Attachments[1].Name)
	for _, a := range o.Attachments {
		assert.Equal(t, l.calendar, string(a.Content))
	}
	assert.Equal(t, "<p>本文です。</p>", o.HTML)
	alternatives := raw[strings.Index(raw, "multipart/alternative"):]
	assert.Less(t, strings.Index(alternatives, "text/html"), strings.Index(alternatives, "text/calendar"), "what a calendar program likes best stands last")
}

// hostile are texts that people can give themselves or their objectives as names.
var hostile = []string{
	"Aoi\r\nBcc: eve@example.net", "Aoi\nBcc: eve@example.net", "Aoi\rBcc: eve@example.net", "Aoi\r\n\r\n<script>", "Aoi\x00", "Aoi\u0085Bcc: eve@example.net", "Aoi\u2028Bcc: eve@example.net",
	"Aoi\u202Egnp.exe", "\u2066Aoi\u2069", "\uFEFFAoi", "=?utf-8?q?Aoi=0D=0ABcc:_eve@example.net?=", "=?utf-8?b?QW9pDQpCY2M6IGV2ZUBleGFtcGxlLm5ldA==?=", "=?utf-8?q?=E2=80=AE?=",
	`Aoi" <eve@example.net>, "`, `Aoi <eve@example.net>`, "Aoi, Eve <eve@example.net>;", `back\slash`, "(comment)", "佐藤 葵", strings.Repeat("目標", 150), strings.Repeat("a", 300), strings.Repeat("a b ", 75),
	"🙂👩‍👩‍👧‍👦", "", " ", "\xff\xfe", "x=?", "?=", "a=?b", "Aoi@example.net",
}

var unsafe = regexp.MustCompile(`(?i)^(bcc|cc|<script)`)

func assertHarmless(t require.TestingT, name, subject string) {
	l := aLetter()
	l.to.Name, l.subject, l.from.Name = name, subject, name
	o, raw := composed(t, l)
	head, _, _ := strings.Cut(raw, "\r\n\r\n")
	for line := range strings.SplitSeq(head, "\r\n") {
		assert.NotRegexp(t, unsafe, line)
	}
	assert.Equal(t, oneLine(subject), strings.TrimSpace(o.Subject), "%q", subject)
	m, err := mail.ReadMessage(strings.NewReader(raw))
	require.NoError(t, err)
	for _, field := range []string{"To", "From"} {
		all, err := m.Header.AddressList(field)
		require.NoError(t, err, "%s: %q", field, m.Header.Get(field))
		require.Len(t, all, 1, "%q", m.Header.Get(field))
		assert.Equal(t, oneLine(name), all[0].Name)
		want := l.to.Address
		if field == "From" {
			want = l.from.Address
		}
		assert.Equal(t, want, all[0].Address)
	}
	for _, said := range []string{o.Subject, o.To, o.From} {
		assert.Equal(t, said, clean(said), "%q", said)
	}
}

func TestNothingInANameOrSubjectDoesAnything(t *testing.T) {
	t.Parallel()
	for _, name := range hostile {
		for _, subject := range []string{name, "Review: " + name} {
			assertHarmless(t, name, subject)
		}
	}
}

func TestNoTextInAHeaderDoesAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("=?utf8bq \r\n<>@\",;:\\()あ\u202e\x00")))).Draw(t, "text")
		assertHarmless(t, text, text)
	})
}

// Addresses go to where they say, or nowhere.
func TestAddressesThatCouldBeMisreadAreRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"aoi@example.com", "aoi.sato+okr@example.co.jp", "a_b-c'd%e!#$&*/=?^`{|}~@example.com", "葵@example.jp", "aoi@xn--r8jz45g.xn--zckzah"} {
		require.NoError(t, checkAddress(address), address)
		l := aLetter()
		l.to.Address = address
		m, err := compose(l)
		require.NoError(t, err)
		assert.Equal(t, address, m.To)
		read, err := mail.ReadMessage(bytes.NewReader(m.Raw))
		require.NoError(t, err)
		all, err := read.Header.AddressList("To")
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, address, all[0].Address)
	}
	for _, address := range []string{
		"", "aoi", "@example.com", "aoi@", "aoi@@example.com", "aoi@example.com@example.net", `"aoi@example.com> ORCPT=eve@example.net"@example.com`, `"aoi sato"@example.com`, `"aoi"@example.com`,
		"aoi@example.com,eve@example.net", "aoi@example.com, eve@example.net", "aoi@example.com;eve@example.net", "Aoi <aoi@example.com>", "<aoi@example.com>", "aoi@example.com>", "aoi@example.com\r\nRCPT TO:<eve@example.net>",
		"aoi@example.com\n", " aoi@example.com", "aoi@example.com ", "aoi @example.com", "a\x00oi@example.com", "aoi\u202e@example.com", "@example.net:aoi@example.com", "aoi(x)@example.com", "aoi@[127.0.0.1]", `a\oi@example.com`, "group:aoi@example.com",
		"aoi@exam\tple.com", "..@example.com", ".aoi@example.com", "aoi.@example.com", strings.Repeat("a", 250) + "@example.com", "aoi\xff@example.com", "aoi@example.com\u0085",
	} {
		assert.Error(t, checkAddress(address), "%q", address)
		l := aLetter()
		l.to.Address = address
		_, err := compose(l)
		assert.Error(t, err, "%q", address)
	}
}
