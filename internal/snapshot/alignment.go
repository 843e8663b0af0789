package snapshot

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// What objectives support beside their parents. To a change of the whole it is a record: it is added and taken away in other ways. What the search is made from is no part of a snapshot: the database makes it from what is written.

// ObjectiveLink is a row of objective_links.
type ObjectiveLink struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	ObjectiveID    uuid.UUID `json:"objective_id"`
	SupportedID    uuid.UUID `json:"supported_id"`
	CreatedAt      time.Time `json:"created_at"`
	CreatedBy      uuid.UUID `json:"created_by"`
	Flagged        bool      `json:"flagged"`
}

func alignmentSections() []section {
	return []section{
		list("objective_links", func(s *Snapshot) *[]ObjectiveLink { return &s.Links }, byPair(
			func(row ObjectiveLink) pair { return pair{row.ObjectiveID, row.SupportedID} },
			func(ctx context.Context, q *db.Queries, o uuid.UUID, after pair) ([]ObjectiveLink, error) {
				rows, err := q.ListAllLinksAfter(ctx, db.ListAllLinksAfterParams{OrganizationID: o, AfterObjectiveID: after[0], AfterSupportedID: after[1], PageSize: pageSize})
				return converted(rows, func(row db.ObjectiveLink) ObjectiveLink { return ObjectiveLink(row) }), err
			})),
	}
}

func (s *Snapshot) sortAlignment() {
	slices.SortFunc(s.Links, func(a, b ObjectiveLink) int {
		return comparePairs(pair{a.ObjectiveID, a.SupportedID}, pair{b.ObjectiveID, b.SupportedID})
	})
}

// alignmentKey is what tells a row of these tables from the others; empty for rows of other tables.
func alignmentKey(row any) string {
	if row, ok := row.(ObjectiveLink); ok {
		return row.ObjectiveID.String() + row.SupportedID.String()
	}
	return ""
}

// links looks at what objectives support: both ends are there, and nothing supports itself or the same one twice.
func (v *validator) links() {
	seen := map[string]bool{}
	for i, l := range v.s.Links {
		p := v.at("link", l.ObjectiveID, "/objective_links/%d", i)
		p.owned(l.OrganizationID)
		if v.objectiveAt[l.ObjectiveID] == nil {
			p.notThere("/objective_id", "objective", l.ObjectiveID)
		}
		if v.objectiveAt[l.SupportedID] == nil {
			p.notThere("/supported_id", "objective", l.SupportedID)
		}
		if l.ObjectiveID == l.SupportedID {
			p.fault("/supported_id", codeLoop, "An objective does not support itself.")
		}
		p.member("/created_by", &l.CreatedBy)
		p.once(seen, alignmentKey(l))
	}
}
