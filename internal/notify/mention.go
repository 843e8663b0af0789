package notify

import (
	"regexp"

	"github.com/google/uuid"
)

// maxMentions bounds how many people one text calls.
const maxMentions = 20

// A mention is written @[Name](member:UUID), as the page writes it when somebody is chosen. The name is only what is read; who is meant is the id.
var mention = regexp.MustCompile(`@\[([^\[\]\n]{1,200})\]\(member:([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})\)`)

// Mentions returns who is mentioned in a text and told of it: each once, the first 20 of them. Whether they are members is not known here.
func Mentions(text string) []uuid.UUID {
	all := AllMentions(text)
	return all[:min(len(all), maxMentions)]
}

// AllMentions returns who is mentioned in a text, each once, told of it or not.
func AllMentions(text string) []uuid.UUID {
	var all []uuid.UUID
	seen := map[uuid.UUID]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		id, err := uuid.Parse(m[2])
		if err != nil || seen[id] {
			continue
		}
		seen[id] = true
		all = append(all, id)
	}
	return all
}

// Plain is a text as people read it: with names where mentions are.
func Plain(text string) string { return mention.ReplaceAllString(text, "@$1") }
