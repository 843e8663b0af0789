package mail

import (
	"fmt"
	"strings"
	"time"
)

// page is a mail while it is written: what it says, part by part, in one language. layout.go lays it out.
type page struct {
	reader  reader
	address string // of the program, without a slash at its end; empty where nobody has said

	organization string

	Lang     string
	Subject  string
	Heading  string
	Sections []section
	Button   *link
	Note     string // below everything, in small print
	Footer   string
	Links    []link

	calendar, method string
}

// section is a heading, words and a list, of which any may be missing.
type section struct {
	Heading string
	Words   []paragraph
	Quote   []paragraph // somebody's own words
	Facts   []fact
	Items   []item
}

// paragraph is made of lines.
type paragraph []string

// fact is something that has a name, such as a time.
type fact struct{ Name, Value string }

// item is one line of a list. Alarm is a word that stands out, such as for what is overdue.
type item struct{ Title, Detail, Alarm, Link string }

type link struct{ Text, Address string }

// reader is who a mail is for, as they are when it is sent.
type reader struct {
	locale string
	zone   *time.Location
	now    time.Time
}

func newPage(r reader, address, organization string) *page {
	return &page{reader: r, address: strings.TrimRight(address, "/"), organization: oneLine(organization), Lang: r.locale}
}

// close puts below everything why this mail came and how it ends.
func (p *page) close(unsubscribe string) {
	p.Footer = p.sayf("このメールは、%sのKakeaiからお送りしています。", "Sent by %s through Kakeai.", p.organization)
	if settings := p.link("/settings/notifications"); settings != "" {
		p.Links = append(p.Links, link{p.say("通知の設定", "Notification settings"), settings})
	}
	if unsubscribe != "" {
		p.Links = append(p.Links, link{p.say("メールの配信を停止", "Unsubscribe"), unsubscribe})
	}
}

// say chooses between the languages that there are.
func (p *page) say(ja, en string) string {
	if p.reader.locale == "ja" {
		return ja
	}
	return en
}

// sayf is say with something put in, by number where the languages differ in their order: %[2]s.
func (p *page) sayf(ja, en string, values ...any) string {
	return fmt.Sprintf(p.say(ja, en), values...)
}

// link is the address of a page; empty where the program does not know its own.
func (p *page) link(path string) string {
	if p.address == "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return ""
	}
	return p.address + path
}

func (p *page) add(s section) { p.Sections = append(p.Sections, s) }

func (p *page) button(text, path string) {
	if address := p.link(path); address != "" {
		p.Button = &link{text, address}
	}
}

// weekdays in Japanese, from Sunday.
const weekdays = "日月火水木金土"

// day is written as people write it: 2026年11月30日（月）, Monday 30 November 2026.
func (p *page) day(t time.Time) string {
	t = t.In(p.reader.zone)
	if p.reader.locale == "ja" {
		return fmt.Sprintf("%d年%d月%d日（%s）", t.Year(), t.Month(), t.Day(), string([]rune(weekdays)[t.Weekday()]))
	}
	return t.Format("Monday 2 January 2006")
}

// clock is a time of day: 9:00 in Japanese, 09:00 in English.
func (p *page) clock(t time.Time) string {
	return p.sayf("%d:%02d", "%02d:%02d", t.Hour(), t.Minute())
}

// moment is day and time, with the zone, because a mail is read anywhere.
func (p *page) moment(t time.Time) string {
	return p.sayf("%[1]s%[2]s（%[3]s）", "%[1]s, %[2]s (%[3]s)", p.day(t), p.clock(t.In(p.reader.zone)), zoneName(t.In(p.reader.zone)))
}

// brief is a moment in the little room of a subject. Its zone is the reader's.
func (p *page) brief(t time.Time) string {
	t = t.In(p.reader.zone)
	if p.reader.locale == "ja" {
		return fmt.Sprintf("%d月%d日（%s）%s", t.Month(), t.Day(), string([]rune(weekdays)[t.Weekday()]), p.clock(t))
	}
	return t.Format("Mon 2 Jan, 15:04")
}

// span is from one moment to another.
func (p *page) span(from, to time.Time, zone *time.Location) string {
	inZone := *p
	inZone.reader.zone = zone
	if !to.After(from) {
		return inZone.moment(from)
	}
	from, to = from.In(zone), to.In(zone)
	until := p.clock(to)
	if from.YearDay() != to.YearDay() || from.Year() != to.Year() {
		until = p.sayf("%s%s", "%s, %s", inZone.day(to), p.clock(to))
	}
	return p.sayf("%s%s〜%s（%s）", "%s, %s – %s (%s)", inZone.day(from), p.clock(from), until, zoneName(from))
}

// zoneName is the abbreviation that people know, such as JST, or the offset where there is none.
func zoneName(t time.Time) string {
	name, offset := t.Zone()
	if name != "" && !strings.ContainsAny(name, "+-0123456789") {
		return name
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("UTC%c%d:%02d", sign, offset/3600, offset/60%60)
}

// paragraphs are what blank lines part.
func paragraphs(text string) []paragraph {
	var all []paragraph
	for block := range strings.SplitSeq(clean(text), "\n\n") {
		if block = strings.Trim(block, "\n"); strings.TrimSpace(block) != "" {
			all = append(all, strings.Split(block, "\n"))
		}
	}
	return all
}
