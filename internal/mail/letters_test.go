package mail

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "write what mails look like to testdata")

// readers are who the mails in testdata are for. Their zones differ from each other's and from the database's.
func readers(t *testing.T) []reader {
	now := time.Date(2026, 11, 29, 23, 0, 0, 0, time.UTC)
	zone := func(name string) *time.Location {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		return zone
	}
	return []reader{{locale: "ja", zone: zone("Asia/Tokyo"), now: now}, {locale: "en", zone: zone("Europe/London"), now: now}}
}

// contents are the mails in testdata, by their names.
func contents() map[string]Content {
	day := func(d int) *time.Time {
		at := time.Date(2026, 11, 30+d, 2, 59, 59, 0, time.UTC)
		return &at
	}
	start := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	all := map[string]Content{
		"digest-daily": Digest{
			Owed: []Owed{
				{Kind: "review", Title: "お客様に最初に答える", Path: "/objectives/1"},
				{Kind: "check-in", Title: "月間解約率を 5% から 3% に", Due: day(-4), Path: "/objectives/2"},
				{Kind: "follow-up", Title: "<b>価格</b>の試算を配る & 集める", Due: day(3), Path: "/occurrences/3"},
			},
			Notices: []Notice{
				{Kind: "commented", Title: "First to answer", Actor: "高橋 美咲", Count: 3, Path: "/objectives/1"},
				{Kind: "approved", Title: "Keep customers", Actor: "Liam O’Brien", Path: "/objectives/4"},
			},
			More: 12,
		},
		"digest-weekly":          Digest{Weekly: true, Notices: []Notice{{Kind: "objective-closed", Title: "お客様に最初に答える", Actor: "高橋 美咲", Path: "/objectives/1"}}},
		"broadcast":              Broadcast{Title: "来期の目標づくりを始めます", Author: "高橋 美咲", ID: uuid.MustParse("0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77"), Body: "みなさん、こんにちは。\r\n12月1日から下書きを始めます。\r\n\r\n・12/1 下書き\r\n・12/8 レビュー\r\n\r\n\r\n<script>alert(1)</script> https://example.com/?a=1&b=2\n"},
		"meeting":                Meeting{Method: "REQUEST", Title: "週次チェックイン", Organizer: "高橋 美咲", StartsAt: start, EndsAt: start.Add(30 * time.Minute), Zone: "Asia/Tokyo", Place: "会議室 3 / https://meet.example.com/abc", Calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Path: "/occurrences/5"},
		"meeting-changed":        Meeting{Method: "REQUEST", Changed: true, Title: "Offsite", Organizer: "Liam O’Brien", StartsAt: start.Add(9 * time.Hour), EndsAt: start.Add(33 * time.Hour), Zone: "Asia/Kathmandu", Calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Path: "/occurrences/5"},
		"meeting-cancelled":      Meeting{Method: "CANCEL", Title: "週次チェックイン", Organizer: "高橋 美咲", StartsAt: start, EndsAt: start.Add(30 * time.Minute), Zone: "America/New_York", Calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Path: "/occurrences/5"},
		"invitation":             Invitation{Inviter: "高橋 美咲", ExpiresAt: start.Add(7 * 24 * time.Hour), Path: "/invitation#kki_TOKEN"},
		"sign-in-added":          SignInChange{Change: SignInAdded, Provider: "みなとID", ShownAs: "misaki@minato.example.com", At: start, Address: "192.0.2.17", Browser: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"},
		"sign-in-removed":        SignInChange{Change: SignInRemoved, Provider: "Harbor ID", At: start},
		"survey":                 Survey{Title: "週次チェックイン", StartsAt: start.Add(24 * time.Hour), Anonymous: true, Path: "/occurrences/5"},
		"survey-reminder":        Survey{Title: "Weekly check-in", StartsAt: start.Add(4 * time.Hour), Reminder: true, Path: "/occurrences/5"},
		"check-in-reminder":      CheckInReminder{Objectives: []Owed{{Kind: "check-in", Title: "お客様に最初に答える", Due: day(2), Path: "/objectives/1"}, {Title: "Keep customers", Path: "/objectives/4"}}},
		"check-in-reminder-once": CheckInReminder{Objectives: []Owed{{Kind: "check-in", Title: "お客様に最初に答える", Due: day(2), Path: "/objectives/1"}}},
	}
	for _, kind := range noticeKinds(nil) {
		n := Notice{Kind: kind, Title: "お客様に最初に答える", Actor: "高橋 美咲", Path: "/objectives/1"}
		switch kind {
		case "commented", "mentioned", "returned":
			n.Excerpt = "初回応答の中央値が下がりました。\n次は週末です。\n\n<img src=x onerror=alert(1)> どう思いますか？"
		case "check-in-due", "outdated", "meeting-soon", "survey-open":
			n.Actor = ""
		case "approved":
			n.Count = 2
		}
		all["notice-"+kind] = n
	}
	return all
}

// noticeKinds are those that internal/notify declares, read from its source, so that a new one does not go without words.
func noticeKinds(t *testing.T) []string {
	source, err := os.ReadFile("../notify/notify.go")
	if err != nil {
		panic(err) // which fails whatever test asks
	}
	var kinds []string
	for _, found := range regexp.MustCompile(`(?m)^\t\w+ +Kind = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		kinds = append(kinds, found[1])
	}
	if t != nil {
		require.Greater(t, len(kinds), 10)
	}
	return kinds
}

func written(t *testing.T, c Content, r reader) (p *page, text, html string) {
	t.Helper()
	l, err := newLayouts()
	require.NoError(t, err)
	p = newPage(r, "https://okr.example.com/", "みなと製作所")
	p.close("https://okr.example.com/unsubscribe?token=TOKEN")
	c.write(p)
	text, html, err = l.render(p)
	require.NoError(t, err)
	return p, text, html
}

// Each mail in each language, as it was looked at: in testdata. go test -run Testdata -update writes them anew.
func TestMailsLookAsInTestdata(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for name, c := range contents() {
		for _, r := range readers(t) {
			p, text, html := written(t, c, r)
			for ending, got := range map[string]string{".txt": "Subject: " + p.Subject + "\n\n" + text, ".html": html} {
				if ending == ".html" && strings.HasPrefix(name, "notice-") && name != "notice-commented" {
					continue // laid out alike
				}
				file := filepath.Join("testdata", name+"."+r.locale+ending)
				seen[file] = true
				if *update {
					require.NoError(t, os.MkdirAll("testdata", 0o755))
					require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, string(want), got, file)
			}
		}
	}
	there, err := filepath.Glob("testdata/*.*.*")
	require.NoError(t, err)
	for _, file := range there {
		assert.True(t, seen[file], "%s belongs to no mail", file)
	}
}

func TestEveryKindOfNoticeHasWordsOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, r := range readers(t) {
		seen := map[string]string{}
		for _, kind := range append(noticeKinds(t), "unheard-of") {
			subject, sentence := Notice{Kind: kind, Title: "T", Actor: "A"}.told(newPage(r, "", "O"))
			for _, said := range []string{subject, sentence} {
				assert.Empty(t, seen[said], "%s and %s", kind, seen[said])
				assert.Contains(t, said, "T")
				assert.NotContains(t, said, "%!")
			}
			seen[subject], seen[sentence] = kind, kind
		}
	}
}

// What people wrote stands in the HTML as text, nothing is fetched from anywhere, and links lead to the program.
func TestHTMLHoldsNothingThatActs(t *testing.T) {
	t.Parallel()
	elements := map[string]bool{}
	for _, c := range contents() {
		for _, r := range readers(t) {
			_, _, text := written(t, c, r)
			document, err := html.Parse(strings.NewReader(text))
			require.NoError(t, err)
			for n := range document.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				elements[n.Data] = true
				for _, a := range n.Attr {
					assert.False(t, strings.HasPrefix(a.Key, "on"), text)
					assert.NotContains(t, a.Val, "url(")
					if a.Key == "href" || a.Key == "src" {
						assert.True(t, strings.HasPrefix(a.Val, "https://okr.example.com/"), a.Val)
					}
				}
				if n.Data == "html" {
					assert.Equal(t, []html.Attribute{{Key: "lang", Val: r.locale}}, n.Attr)
				}
			}
		}
	}
	for _, forbidden := range []string{"script", "img", "b", "iframe", "form", "link", "table"} {
		assert.False(t, elements[forbidden], forbidden)
	}
	for _, needed := range []string{"h1", "h2", "p", "ul", "li", "a", "blockquote", "dl", "title"} {
		assert.True(t, elements[needed], needed)
	}
}

// Without an address of its own, the program leaves links out instead of having them lead nowhere.
func TestWithoutAnAddressThereAreNoLinks(t *testing.T) {
	t.Parallel()
	l, err := newLayouts()
	require.NoError(t, err)
	for name, c := range contents() {
		p := newPage(readers(t)[1], "", "O")
		p.close("")
		c.write(p)
		_, html, err := l.render(p)
		require.NoError(t, err)
		assert.NotContains(t, html, "href", name)
	}
	p := newPage(readers(t)[1], "https://okr.example.com", "O")
	for _, path := range []string{"https://eve.example.net", "//eve.example.net", "objectives/1", "javascript:alert(1)", ""} {
		assert.Empty(t, p.link(path), path)
	}
}

func TestTimesAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, zone, at, until, want string }{
		{"ja", "Asia/Tokyo", "2026-11-30T00:00:00Z", "", "2026年11月30日（月）9:00（JST）"},
		{"en", "Asia/Tokyo", "2026-11-30T00:00:00Z", "", "Monday 30 November 2026, 09:00 (JST)"},
		{"ja", "Asia/Kathmandu", "2026-11-29T18:20:00Z", "", "2026年11月30日（月）0:05（UTC+5:45）"},
		{"en", "America/New_York", "2026-11-30T00:00:00Z", "", "Sunday 29 November 2026, 19:00 (EST)"},
		{"en", "America/New_York", "2026-07-01T00:00:00Z", "", "Tuesday 30 June 2026, 20:00 (EDT)"},
		{"en", "America/Sao_Paulo", "2026-11-30T00:00:00Z", "", "Sunday 29 November 2026, 21:00 (UTC-3:00)"},
		{"en", "UTC", "2026-11-30T00:00:00Z", "", "Monday 30 November 2026, 00:00 (UTC)"},
		{"ja", "Asia/Tokyo", "2026-11-30T00:00:00Z", "2026-11-30T01:30:00Z", "2026年11月30日（月）9:00〜10:30（JST）"},
		{"en", "Europe/London", "2026-11-30T09:00:00Z", "2026-11-30T10:30:00Z", "Monday 30 November 2026, 09:00 – 10:30 (GMT)"},
		{"ja", "Asia/Tokyo", "2026-12-31T14:00:00Z", "2026-12-31T16:00:00Z", "2026年12月31日（木）23:00〜2027年1月1日（金）1:00（JST）"},
		{"en", "Asia/Tokyo", "2026-12-31T14:00:00Z", "2026-12-31T16:00:00Z", "Thursday 31 December 2026, 23:00 – Friday 1 January 2027, 01:00 (JST)"},
		{"en", "UTC", "2026-11-30T09:00:00Z", "2026-11-30T09:00:00Z", "Monday 30 November 2026, 09:00 (UTC)"},
	} {
		zone, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		p := newPage(reader{locale: c.locale, zone: zone}, "", "")
		at, err := time.Parse(time.RFC3339, c.at)
		require.NoError(t, err)
		got := p.moment(at)
		if c.until != "" {
			until, err := time.Parse(time.RFC3339, c.until)
			require.NoError(t, err)
			got = p.span(at, until, zone)
		}
		assert.Equal(t, c.want, got)
	}
}

func TestContentIsKeptAsItWas(t *testing.T) {
	t.Parallel()
	templates := map[string]bool{}
	for name, c := range contents() {
		if _, nothing := c.(Invitation); nothing {
			continue // all of it is read when it is written out
		}
		kept, err := json.Marshal(c)
		require.NoError(t, err)
		read, err := contentOf(c.template(), kept)
		require.NoError(t, err)
		assert.Equal(t, c, read, name)
		templates[c.template()] = true
	}
	assert.Len(t, templates, 7)
	_, err := contentOf("of another release", nil)
	assert.ErrorContains(t, err, "of another release")
}
