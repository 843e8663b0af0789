package webhook

import "strings"

// TestKind is the kind of what is sent to try a webhook out. It is no change's, and nobody asks for it.
const TestKind = "webhook.test"

// known are the kinds of events that webhooks can be told of, by the thing they are about. Signing in and out is not among them: that is between a person and this program.
//
//nolint:gochecknoglobals // Go has no constant maps, and nothing assigns to it
var known = map[string][]string{
	"broadcast":    {"created", "updated", "scheduled", "sending", "sent", "cancelled", "resent"},
	"check_in":     {"created", "corrected"},
	"comment":      {"created", "updated", "deleted"},
	"cycle":        {"created", "updated"},
	"dialogue":     {"opened"},
	"follow_up":    {"created", "updated", "done", "reopened"},
	"import":       {"uploaded", "updated", "check_started", "run_started", "checked", "done", "failed", "cancelled"},
	"invitation":   {"created", "resent", "accepted", "revoked"},
	"job":          {"created", "cancelled", "succeeded", "failed", "superseded"},
	"member":       {"added", "updated"},
	"meeting":      {"created", "updated", "cancelled", "attendee_put", "attendee_removed", "responded"},
	"message":      {"created"},
	"minutes":      {"written"},
	"objective":    {"created", "updated", "submitted", "approved", "returned", "revised", "closed", "reopened", "archived", "restored", "suggestion_accepted", "linked", "unlinked", "version_restored", "carried_over", "realigned"},
	"occurrence":   {"moved", "cancelled"},
	"organization": {"created", "updated"},
	"suggestion":   {"accepted", "rejected"},
	"team":         {"created", "updated", "member_put", "member_removed"},
	"webhook":      {"created", "updated", "deleted", "secret_rotated", "disabled"},
}

// Kinds are the kinds of events that webhooks can be told of.
func Kinds() []string {
	var all []string
	for thing, happened := range known {
		for _, what := range happened {
			all = append(all, thing+"."+what)
		}
	}
	return all
}

// Knows reports whether webhooks can be told of a kind of events.
func Knows(kind string) bool {
	thing, what, _ := strings.Cut(kind, ".")
	for _, happened := range known[thing] {
		if happened == what {
			return true
		}
	}
	return false
}

// CanWant reports whether a webhook can ask for this: a kind, all kinds about one thing ("objective."), or all there are ("*").
func CanWant(wanted string) bool {
	if thing, ok := strings.CutSuffix(wanted, "."); ok {
		return len(known[thing]) > 0
	}
	return wanted == "*" || Knows(wanted)
}
