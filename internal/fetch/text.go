package fetch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a stranger's text fit to be shown: valid, on one line, without what is not seen and changes how the rest is read, and no longer than so many characters.
func clean(text string, length int) string {
	var b strings.Builder
	written, blank := 0, false
	for _, r := range text { // what is no UTF-8 comes as U+FFFD
		if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
			blank = written > 0
			continue
		}
		if unseen(r) {
			continue
		}
		if blank {
			if written == length {
				return shorten(b.String())
			}
			b.WriteByte(' ')
			written, blank = written+1, false
		}
		if written == length {
			return shorten(b.String())
		}
		b.WriteRune(r)
		written++
	}
	return b.String()
}

// shorten has a text that was too long say so in its last character.
func shorten(text string) string {
	_, last := utf8.DecodeLastRuneInString(text)
	return strings.TrimRightFunc(text[:len(text)-last], unicode.IsSpace) + "…"
}

// unseen are controls, marks that turn the direction of what follows, tags, and what is no character; not the joiners, which scripts and emoji need.
func unseen(r rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	}
	return false
}
