package ai

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// deadline is a date that a text names as the end of something. Year is 0 where it was not written, Day where only the month was.
type deadline struct {
	words      string
	year       int
	month      time.Month // 0: the whole year
	day        int
	start, end int
}

const englishMonth = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?`

var (
	japaneseDate = regexp.MustCompile(`(?:(\d{4})年(度?)\s*)?(\d{1,2})月(?:の?(\d{1,2})日|の?(?:上旬|中旬|下旬|末日?|頭))?|(\d{4})年(末)?|(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2}))?`)
	// A date without one of these behind it is more often the past than a deadline.
	japaneseDeadline = regexp.MustCompile(`^\s*(?:時点)?\s*(?:まで|迄|以内|中に|中の|期限|締|〆|納期|に(?:は)?(?:、|完了|公開|リリース|開始|実現|達成|到達|到着|終え|終わ))`)
	englishDate      = regexp.MustCompile(`(?:(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(` + englishMonth + `)(?:\s+(\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(\d{4})\b)?|\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b|\b(20\d{2})\b`)
	englishDeadline  = regexp.MustCompile(`(?i)\b(?:by|until|till|before|no later than|due(?: on| in)?|end of|deadline:?)(?:\s+(?:the\s+)?(?:end\s+of|early|mid|late|middle\s+of|start\s+of|beginning\s+of))?[\s-]*$`)
)

// deadlines finds the dates by which a folded text says that something is to happen.
func deadlines(s string) []deadline {
	var found []deadline
	for _, m := range japaneseDate.FindAllStringSubmatchIndex(s, -1) {
		d := deadline{start: m[0], end: m[1], words: s[m[0]:m[1]]}
		switch {
		case m[6] >= 0:
			d.year, d.month, d.day = dateNumber(s, m[2:4]), time.Month(dateNumber(s, m[6:8])), dateNumber(s, m[8:10])
			if m[4] != m[5] {
				d.year = 0 // A fiscal year begins in a month that the text does not tell.
			}
		case m[10] >= 0:
			d.year = dateNumber(s, m[10:12])
		default:
			d.year, d.month, d.day = dateNumber(s, m[14:16]), time.Month(dateNumber(s, m[16:18])), dateNumber(s, m[18:20])
		}
		if d.month <= time.December && japaneseDeadline.MatchString(s[d.end:min(len(s), d.end+64)]) {
			found = append(found, d)
		}
	}
	for _, m := range englishDate.FindAllStringSubmatchIndex(s, -1) {
		d := deadline{start: m[0], end: m[1], words: s[m[0]:m[1]]}
		switch {
		case m[4] >= 0:
			d.day, d.month, d.year = max(dateNumber(s, m[2:4]), dateNumber(s, m[6:8])), monthNamed(s[m[4]:m[5]]), dateNumber(s, m[8:10])
		case m[10] >= 0:
			d.year, d.month, d.day = dateNumber(s, m[10:12]), time.Month(dateNumber(s, m[12:14])), dateNumber(s, m[14:16])
		default:
			d.year = dateNumber(s, m[16:18])
		}
		if d.month <= time.December && englishDeadline.MatchString(s[max(0, d.start-64):d.start]) {
			found = append(found, d)
		}
	}
	return found
}

// outside reports whether no day that the deadline may mean lies in the cycle.
func (d deadline) outside(c Cycle) bool {
	if c.StartsOn.IsZero() || c.EndsOn.IsZero() {
		return false
	}
	years := []int{d.year}
	if d.year == 0 {
		years = []int{c.StartsOn.Year(), c.EndsOn.Year()}
	}
	for _, year := range years {
		first := time.Date(year, max(d.month, time.January), max(d.day, 1), 0, 0, 0, 0, c.StartsOn.Location())
		last := first
		switch {
		case d.month == 0:
			last = first.AddDate(1, 0, -1)
		case d.day == 0:
			last = first.AddDate(0, 1, -1)
		}
		if !last.Before(c.StartsOn) && !first.After(c.EndsOn) {
			return false
		}
	}
	return true
}

func monthNamed(s string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(s, m.String()[:3]) {
			return m
		}
	}
	return 0
}

func dateNumber(s string, at []int) int {
	if at[0] < 0 {
		return 0
	}
	n, err := strconv.Atoi(s[at[0]:at[1]])
	if err != nil {
		return 0
	}
	return n
}

// timePhrase matches words that say when, not what: they would clutter a title, and their numbers measure nothing.
var timePhrase = regexp.MustCompile(
	`(?:来期|今期|来年度?|今年度?|年度|上期|下期|半期|四半期|第[1-4]四半期|[0-9]{4}年度?|FY[0-9]{2,4}|[1-4]Q|Q[1-4]|(?:[0-9]{4}年度?)?\s*[0-9]{1,2}月|[0-9]{4}[/-][0-9]{1,2}(?:[/-][0-9]{1,2})?|[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}日)(?:の?[0-9]{1,2}日)?(?:の?(?:末日?|終わり|終了時|上旬|中旬|下旬|中))?\s*(?:まで(?:に(?:は)?|の)|迄に|中に(?:は)?|内に|には|(?:末|終わり)に)、?` +
		`|(?:[0-9]{4}年度?\s*)?[0-9]{1,2}月(?:[0-9]{1,2}日|末)?|[0-9]{4}[/-][0-9]{1,2}(?:[/-][0-9]{1,2})?|[0-9]{4}年度?` +
		`|^\s*(?:今期|来期|今四半期|来四半期|今年度|来年度|今年|来年|上期|下期|この四半期)(?:は|で|に|、)+` +
		`|(?i:\b(?:by|until|before|in|during|within|for|through|over|since|as of|at)\s+(?:the\s+)?(?:end\s+of\s+|early\s+|late\s+|mid-?\s*)?(?:the\s+)?(?:this\s+|next\s+|last\s+)?(?:(?:[0-9]{1,2}(?:st|nd|rd|th)?\s+)?` + englishMonth + `(?:\s+[0-9]{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s+[0-9]{4}\b)?|q[1-4]\b(?:\s*/?\s*(?:fy)?\s*'?[0-9]{2,4}\b)?|fy\s?'?[0-9]{2,4}\b|h[12]\b|[0-9]{4}-[0-9]{1,2}(?:-[0-9]{1,2})?\b|20[0-9]{2}\b|quarter\b|year(?:[ -]end)?\b|cycle\b|half\b|month[ -]end\b|spring\b|summer\b|autumn\b|winter\b))` +
		`|(?i:\b(?:this|next)\s+(?:quarter|year|cycle|half)\b)|\b(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}\b`)

// withoutTime drops what says when and keeps the rest of a folded text.
func withoutTime(s string) string {
	return strings.TrimSpace(timePhrase.ReplaceAllString(s, " "))
}
