package api

import (
	"strconv"
	"strings"
)

// precondition is the revision that an edit was made from.
type precondition struct {
	revision   int64
	fromHeader bool // by If-Match, so that a failure is 412
}

// preconditionOf reads it from the body, from If-Match, or from both, which then have to agree. Neither is 428.
func preconditionOf(revision *Revision, ifMatch *IfMatch) (precondition, error) {
	if ifMatch == nil {
		if revision == nil {
			return precondition{}, errRevisionNeeded
		}
		return precondition{revision: *revision}, nil
	}
	matched, err := strconv.ParseInt(strings.Trim(*ifMatch, `"`), 10, 64)
	if err != nil || matched < 1 || etag(matched) != *ifMatch {
		return precondition{}, badRequest(FieldProblem{Pointer: "/header/If-Match", Code: "etag", Detail: `Send one strong ETag as it was received, such as "7".`})
	}
	if revision != nil && *revision != matched {
		return precondition{}, badRequest(FieldProblem{Pointer: "/revision", Code: "contradiction", Detail: "The body and If-Match name different revisions."})
	}
	return precondition{revision: matched, fromHeader: true}, nil
}
