package api

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// visibleAtOnce is how many objectives a query by ids looks at.
const visibleAtOnce = 200

// readLinks reads what the objectives of the page support, and which copies lead to them. A request that makes copies holds those links first: whoever carries the other end of one over at
// the same time has then either made its copy, which is found, or will find the ones that are made here.
func (c *carryOver) readLinks(ctx context.Context, q *db.Queries) error {
	c.links, c.following, c.linked = map[uuid.UUID][]db.ListLinksToCarryRow{}, map[uuid.UUID][]uuid.UUID{}, map[uuid.UUID]db.Objective{}
	ids := slices.Collect(maps.Keys(c.objectives))
	if len(ids) == 0 {
		return nil
	}
	if !c.body.DryRun {
		if _, err := q.LockLinksToCarry(ctx, db.LockLinksToCarryParams{OrganizationID: c.OrganizationID, IDs: ids}); err != nil {
			return err
		}
	}
	links, err := q.ListLinksToCarry(ctx, db.ListLinksToCarryParams{OrganizationID: c.OrganizationID, IDs: ids})
	if err != nil {
		return err
	}
	follow, err := q.ListLinksThatFollow(ctx, db.ListLinksThatFollowParams{OrganizationID: c.OrganizationID, IDs: ids, CycleID: c.target.ID})
	if err != nil {
		return err
	}
	var ends []uuid.UUID
	for _, l := range links {
		c.links[l.ObjectiveID] = append(c.links[l.ObjectiveID], l)
		ends = append(ends, l.SupportedID)
	}
	for _, l := range follow {
		c.following[l.SupportedID] = append(c.following[l.SupportedID], l.ObjectiveID)
		ends = append(ends, l.ObjectiveID)
	}
	return c.readLinked(ctx, q, ends)
}

// readLinked reads the other ends of links, as far as the actor sees them, and all of those that may be carried along before or after.
func (c *carryOver) readLinked(ctx context.Context, q *db.Queries, ends []uuid.UUID) error {
	var along []uuid.UUID
	for some := range slices.Chunk(distinct(ends), visibleAtOnce) {
		found, err := q.ListVisibleObjectivesByID(ctx, db.ListVisibleObjectivesByIDParams{OrganizationID: c.OrganizationID, IDs: some, ActorID: c.UserID, SeesAll: c.administers(),
			TeamIDs: c.TeamIDs, LeadTeamIDs: c.LeadTeamIDs})
		if err != nil {
			return err
		}
		for _, o := range found {
			c.linked[o.ID] = o
			if _, known := c.objectives[o.ID]; !known && o.CycleID == c.source.ID && c.inScope(o) {
				along = append(along, o.ID)
			}
		}
	}
	for some := range slices.Chunk(along, visibleAtOnce) {
		found, err := visibleObjectives(ctx, q, c.actor, some)
		if err != nil {
			return err
		}
		maps.Copy(c.objectives, found)
	}
	return nil
}

// describeLinks is what the copy of an objective will support, and what will support it, once everything that was asked for is carried over.
func (c *carryOver) describeLinks(original uuid.UUID) (supports *[]CarriedLink, supporters *[]CarriedSupporter) {
	var up []CarriedLink
	for _, l := range c.links[original] {
		end, visible := c.linked[l.SupportedID]
		if !visible {
			continue
		}
		link := CarriedLink{ObjectiveID: end.ID, Title: end.Title, LeadsTo: "original"}
		if c.comes(end.ID) {
			link.LeadsTo = "copy"
		}
		up = append(up, link)
	}
	var down []CarriedSupporter
	for _, id := range c.following[original] {
		if o, visible := c.linked[id]; visible {
			down = append(down, CarriedSupporter{ObjectiveID: o.ID, Title: o.Title})
		}
	}
	if len(up) > 0 {
		supports = &up
	}
	if len(down) > 0 {
		supporters = &down
	}
	return supports, supporters
}

// comes reports whether an objective has a copy in the target once everything that was asked for is carried over.
func (c *carryOver) comes(original uuid.UUID) bool {
	if _, there := c.copies[original]; there {
		return true
	}
	p := c.decide(original)
	return p.item.Outcome == "carried" && c.inScope(p.from.objective)
}

// linkCopies has the copies of these originals, which this transaction has made, support what the originals do, or its copies.
func (c *carryOver) linkCopies(ctx context.Context, q *db.Queries, originals []uuid.UUID) error {
	made := db.CarryLinksParams{OrganizationID: c.OrganizationID, ActorID: c.UserID}
	for _, id := range originals {
		for _, l := range c.links[id] {
			to, stale := okr.Realign(l.SupportedID, c.copies)
			made.ObjectiveIDs = append(made.ObjectiveIDs, c.copies[id])
			made.SupportedIDs = append(made.SupportedIDs, to)
			made.Flagged = append(made.Flagged, stale && l.SupportedCycleID != c.target.ID)
		}
	}
	if len(made.ObjectiveIDs) == 0 {
		return nil
	}
	if err := q.CarryLinks(ctx, made); err != nil {
		return err
	}
	for i, id := range made.ObjectiveIDs {
		if err := record(ctx, q, c.actor, event{action: "objective.linked", targetKind: "objective", target: id, detail: map[string]any{"supported_id": made.SupportedIDs[i]}}); err != nil {
			return err
		}
	}
	return nil
}

// followLinks leads the links of copies that were made earlier to what is carried over, by this request or another, each as a change of its own. Links that somebody has settled since stay.
func (c *carryOver) followLinks(ctx context.Context, q *db.Queries, plans []*carried) error {
	moved := db.MoveLinksThatFollowParams{OrganizationID: c.OrganizationID, CycleID: c.target.ID}
	for _, p := range plans {
		if p.item.CopyID != nil && len(c.following[p.item.ObjectiveID]) > 0 {
			moved.IDs, moved.CopyIDs = append(moved.IDs, p.item.ObjectiveID), append(moved.CopyIDs, *p.item.CopyID)
		}
	}
	if len(moved.IDs) == 0 {
		return nil
	}
	links, err := q.MoveLinksThatFollow(ctx, moved)
	if err != nil {
		return err
	}
	for _, l := range links {
		if err := record(ctx, q, c.actor, event{action: "objective.linked", targetKind: "objective", target: l.ObjectiveID,
			detail: map[string]any{"supported_id": c.copies[l.SupportedID], "instead_of_id": l.SupportedID}}); err != nil {
			return err
		}
	}
	return nil
}

// distinct are ids in their order, each once.
func distinct(ids []uuid.UUID) []uuid.UUID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, compareUUIDs)
	return slices.Compact(ids)
}
