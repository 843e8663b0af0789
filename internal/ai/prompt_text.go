package ai

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// partialText reads the first property, "text", of a JSON object that is still arriving.
// Where a server puts another property first there is nothing to show early, and it yields nothing.
type partialText struct {
	pending string // arrived and not yet decoded: the object's head, or the beginning of an escape or a character
	text    strings.Builder
	inside  bool // within the string
	done    bool
}

var textOpening = regexp.MustCompile(`^\s*\{\s*"text"\s*:\s*"`)

// write takes the next piece and returns the text so far, and whether the piece added to it.
func (p *partialText) write(piece string) (text string, grew bool) {
	if p.done {
		return "", false
	}
	p.pending += piece
	if !p.inside {
		opening := textOpening.FindStringIndex(p.pending)
		if opening == nil {
			p.done = len(p.pending) > 100
			return "", false
		}
		p.pending, p.inside = p.pending[opening[1]:], true
	}
	before := p.text.Len()
	p.pending = p.decode(p.pending)
	return p.text.String(), p.text.Len() > before
}

// decode appends what rest says and returns what of it needs more to be understood.
func (p *partialText) decode(rest string) string {
	for {
		end := strings.IndexAny(rest, `"\`)
		if end < 0 {
			end = len(rest) - incompleteCharacter(rest)
			p.text.WriteString(rest[:end])
			return rest[end:]
		}
		p.text.WriteString(rest[:end])
		rest = rest[end:]
		if rest[0] == '"' {
			p.done = true
			return ""
		}
		size := escapeSize(rest)
		if size > len(rest) {
			return rest
		}
		var decoded string
		if json.Unmarshal([]byte(`"`+rest[:size]+`"`), &decoded) != nil {
			p.done = true
			return ""
		}
		p.text.WriteString(decoded)
		rest = rest[size:]
	}
}

// escapeSize is how long the escape at the beginning of text is; more than len(text) where it is not all there.
// The two halves of a surrogate pair count as one escape.
func escapeSize(text string) int {
	const short, unicode, pair = len(`\n`), len(`\uD83D`), len(`\uD83D\uDE00`)
	switch {
	case len(text) < short || text[1] != 'u':
		return short
	case len(text) < unicode:
		return unicode
	case strings.ContainsRune("dD", rune(text[2])) && strings.ContainsRune("89abAB", rune(text[3])) &&
		strings.HasPrefix(`\u`, text[unicode:min(len(text), unicode+len(`\u`))]):
		return pair
	}
	return unicode
}

// incompleteCharacter is how many bytes at the end of text begin a character without ending it.
func incompleteCharacter(text string) int {
	for size := 1; size < utf8.UTFMax && size <= len(text); size++ {
		last := text[len(text)-size:]
		if utf8.RuneStart(last[0]) {
			if utf8.FullRuneInString(last) {
				return 0
			}
			return size
		}
	}
	return 0
}
