package snapshot

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// ExternalID is a row of external_ids.
type ExternalID struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	Source         string    `json:"source"`
	Kind           string    `json:"kind"`
	ExternalID     string    `json:"external_id"`
	EntityID       uuid.UUID `json:"entity_id"`
}

func (x ExternalID) key() string {
	return strings.Join([]string{x.Source, x.Kind, x.ExternalID}, "\x00")
}

func exchangeSections() []section {
	return []section{list("external_ids", func(s *Snapshot) *[]ExternalID { return &s.ExternalIDs }, loadExternalIDs)}
}

func loadExternalIDs(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(ExternalID) error) error {
	from := db.ListAllExternalIDsAfterParams{OrganizationID: organization, PageSize: pageSize}
	for {
		rows, err := q.ListAllExternalIDsAfter(ctx, from)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := emit(ExternalID(row)); err != nil {
				return err
			}
		}
		last := rows[len(rows)-1]
		from.AfterSource, from.AfterKind, from.AfterExternalID = last.Source, last.Kind, last.ExternalID
	}
}

// externalIDs looks at what other programs call things: that each is there, and each name stands for one.
func (v *validator) externalIDs() {
	checkIns := make(map[uuid.UUID]bool, len(v.s.CheckIns))
	for _, c := range v.s.CheckIns {
		checkIns[c.ID] = true
	}
	seen := map[string]bool{}
	for i, x := range v.s.ExternalIDs {
		p := v.at("external id", x.EntityID, "/external_ids/%d", i)
		p.owned(x.OrganizationID)
		p.once(seen, x.key())
		there := false
		switch x.Kind {
		case "objective":
			there = v.objectiveAt[x.EntityID] != nil
		case "key_result":
			there = v.keyResult[x.EntityID] != nil
		case "check_in":
			there = checkIns[x.EntityID]
		}
		if !there {
			p.notThere("/entity_id", strings.ReplaceAll(x.Kind, "_", " "), x.EntityID)
		}
	}
}
