package api

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

const (
	objectiveScan = 1000 // how many objectives one page looks at, however few of them it shows
	scanAtOnce    = 200  // of these, how many in one statement where more is asked of them than SQL tells
)

// ListObjectives lists the objectives that the actor may see. The narrowest filter chooses the index, and with it the query.
func (s *Server) ListObjectives(ctx context.Context, request ListObjectivesRequestObject) (ListObjectivesResponseObject, error) {
	p := request.Params
	l, err := s.newList(exchangeOf(ctx), "/objectives", p.Limit, p.Cursor, objectiveFilters(p))
	if err != nil {
		return nil, err
	}
	if err := orderThatIsServed(p); err != nil {
		return nil, err
	}
	if p.Text != nil {
		if err := storable("/query/text", *p.Text); err != nil {
			return nil, err
		}
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListObjectivesResponseObject, error) {
		for _, id := range []*uuid.UUID{p.ParentObjectiveID, p.Supports} {
			if id == nil {
				continue
			}
			if _, err := visibleObjective(ctx, q, a, *id); err != nil {
				return nil, err
			}
		}
		look := lookAt{scan: objectivesAsAsked(q, a, p), health: p.Health, outdated: p.Outdated}
		if p.Order != nil && *p.Order == Newest && l.begins {
			l.from.id = uuid.Max
		}
		if p.Text != nil {
			if err := look.forText(ctx, q, a, p); err != nil {
				return nil, err
			}
		}
		all, next, link, err := look.page(ctx, q, a, l)
		if err != nil {
			return nil, err
		}
		return ListObjectives200Response{Body: ObjectivePage{Items: converted(all, func(o objectiveRows) ObjectiveSummary { return o.summary(a) }), NextCursor: next},
			Headers: ListObjectives200ResponseHeaders{Link: link}}, nil
	})
}

// orderThatIsServed refuses an order that no index serves together with the filters.
func orderThatIsServed(p ListObjectivesParams) error {
	order := Created
	if p.Order != nil {
		order = *p.Order
	}
	ofCycle := order.ofCycle()
	switch {
	case ofCycle && p.CycleID == nil:
		return badRequest(FieldProblem{Pointer: "/query/order", Code: "cycle-needed", Detail: "This order is that of one cycle."})
	case order != Created && (p.ParentObjectiveID != nil || p.Supports != nil), ofCycle && (p.TeamID != nil || p.OwnerID != nil):
		return badRequest(FieldProblem{Pointer: "/query/order", Code: "order-not-served", Detail: "There is no such order with these filters."})
	case p.ParentObjectiveID != nil && p.Supports != nil:
		return badRequest(FieldProblem{Pointer: "/query/supports", Code: "one-of-two", Detail: "Ask for what contributes, or for what supports."})
	}
	return nil
}

// ofCycle says whether a list is in this order only within one cycle, and of all teams and owners.
func (o ObjectiveOrder) ofCycle() bool { return o == Title || o == LeastProgress || o == MostProgress }

func objectiveFilters(p ListObjectivesParams) url.Values {
	filters := url.Values{}
	for name, id := range map[string]*uuid.UUID{"cycle_id": p.CycleID, "team_id": p.TeamID, "owner_id": p.OwnerID, "parent_objective_id": p.ParentObjectiveID, "supports": p.Supports} {
		if id != nil {
			filters.Set(name, id.String())
		}
	}
	if p.State != nil {
		filters.Set("state", string(*p.State))
	}
	if p.Archived != nil && *p.Archived {
		filters.Set("archived", "true")
	}
	if p.Health != nil {
		filters.Set("health", string(*p.Health))
	}
	if p.Outdated != nil {
		filters.Set("outdated", strconv.FormatBool(*p.Outdated))
	}
	if p.Text != nil {
		filters.Set("text", *p.Text)
	}
	if p.Order != nil && *p.Order != Created {
		filters.Set("order", string(*p.Order))
	}
	return filters
}

// scanned is an objective that was looked at, and whether it is shown.
type scanned = db.ScanObjectivesAfterRow

// scan looks at the next objectives of a list, behind one, as many as n.
type scan func(ctx context.Context, from uuid.UUID, n int32) ([]scanned, error)

// asked is what all scans are asked.
func asked(a actor) db.ScanObjectivesAfterParams {
	return db.ScanObjectivesAfterParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs}
}

// scanOf makes a scan of a query that has no more parameters than all have.
func scanOf[P, R any](base db.ScanObjectivesAfterParams, with func(db.ScanObjectivesAfterParams) P, query func(context.Context, P) ([]R, error), row func(R) scanned) scan {
	return func(ctx context.Context, from uuid.UUID, n int32) ([]scanned, error) {
		base.FromID, base.Scan = from, n
		rows, err := query(ctx, with(base))
		return converted(rows, row), err
	}
}

func objectivesAsAsked(q *db.Queries, a actor, p ListObjectivesParams) scan {
	base := asked(a)
	base.State, base.CycleID, base.TeamID, base.OwnerID = (*string)(p.State), p.CycleID, p.TeamID, p.OwnerID
	base.Archived = p.Archived != nil && *p.Archived
	newest := p.Order != nil && *p.Order == Newest
	switch {
	case p.ParentObjectiveID != nil:
		return childrenScan(q, base, *p.ParentObjectiveID)
	case p.Supports != nil:
		return supportersScan(q, base, *p.Supports)
	case p.Order != nil && *p.Order == Title:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfCycleByTitleAfterParams {
			return db.ScanObjectivesOfCycleByTitleAfterParams(b)
		},
			q.ScanObjectivesOfCycleByTitleAfter, func(r db.ScanObjectivesOfCycleByTitleAfterRow) scanned { return scanned(r) })
	case p.Order != nil && *p.Order == LeastProgress:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfCycleByProgressAfterParams {
			return db.ScanObjectivesOfCycleByProgressAfterParams(b)
		},
			q.ScanObjectivesOfCycleByProgressAfter, func(r db.ScanObjectivesOfCycleByProgressAfterRow) scanned { return scanned(r) })
	case p.Order != nil && *p.Order == MostProgress:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfCycleByProgressBeforeParams {
			return db.ScanObjectivesOfCycleByProgressBeforeParams(b)
		},
			q.ScanObjectivesOfCycleByProgressBefore, func(r db.ScanObjectivesOfCycleByProgressBeforeRow) scanned { return scanned(r) })
	case p.OwnerID != nil && newest:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfOwnerBeforeParams {
			return db.ScanObjectivesOfOwnerBeforeParams(b)
		},
			q.ScanObjectivesOfOwnerBefore, func(r db.ScanObjectivesOfOwnerBeforeRow) scanned { return scanned(r) })
	case p.OwnerID != nil:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfOwnerAfterParams {
			return db.ScanObjectivesOfOwnerAfterParams(b)
		},
			q.ScanObjectivesOfOwnerAfter, func(r db.ScanObjectivesOfOwnerAfterRow) scanned { return scanned(r) })
	case p.TeamID != nil && newest:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfTeamBeforeParams {
			return db.ScanObjectivesOfTeamBeforeParams(b)
		},
			q.ScanObjectivesOfTeamBefore, func(r db.ScanObjectivesOfTeamBeforeRow) scanned { return scanned(r) })
	case p.TeamID != nil:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfTeamAfterParams {
			return db.ScanObjectivesOfTeamAfterParams(b)
		},
			q.ScanObjectivesOfTeamAfter, func(r db.ScanObjectivesOfTeamAfterRow) scanned { return scanned(r) })
	case p.CycleID != nil && newest:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfCycleBeforeParams {
			return db.ScanObjectivesOfCycleBeforeParams(b)
		},
			q.ScanObjectivesOfCycleBefore, func(r db.ScanObjectivesOfCycleBeforeRow) scanned { return scanned(r) })
	case p.CycleID != nil:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesOfCycleAfterParams {
			return db.ScanObjectivesOfCycleAfterParams(b)
		},
			q.ScanObjectivesOfCycleAfter, func(r db.ScanObjectivesOfCycleAfterRow) scanned { return scanned(r) })
	case newest:
		return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesBeforeParams {
			return db.ScanObjectivesBeforeParams(b)
		},
			q.ScanObjectivesBefore, func(r db.ScanObjectivesBeforeRow) scanned { return scanned(r) })
	}
	return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanObjectivesAfterParams { return b }, q.ScanObjectivesAfter, func(r scanned) scanned { return r })
}

// lookAt is a list of objectives: a scan, and what is asked of an objective that the scan does not tell.
type lookAt struct {
	scan     scan
	words    []string // all of which it has; nil for no matter
	health   *okr.Health
	outdated *bool
}

// forText narrows the list to what has all the words. Where few objectives have one of them, only those are looked at; a word that many have is found soon in any of them.
func (k *lookAt) forText(ctx context.Context, q *db.Queries, a actor, p ListObjectivesParams) error {
	wanted, err := searchFor(ctx, q, *p.Text)
	if err != nil {
		return err
	}
	if len(wanted.words) == 0 {
		k.scan = func(context.Context, uuid.UUID, int32) ([]scanned, error) { return nil, nil }
		return nil
	}
	k.words = wanted.words
	if p.ParentObjectiveID != nil || p.Supports != nil || p.Order != nil && p.Order.ofCycle() {
		return nil
	}
	ids, complete, err := wanted.candidates(ctx, objectiveTerms{q, a.OrganizationID})
	if err != nil || !complete {
		return err
	}
	slices.SortFunc(ids, compareUUIDs)
	newest := p.Order != nil && *p.Order == Newest
	if newest {
		slices.Reverse(ids)
	}
	base := asked(a)
	base.State, base.CycleID, base.TeamID, base.OwnerID = (*string)(p.State), p.CycleID, p.TeamID, p.OwnerID
	base.Archived = p.Archived != nil && *p.Archived
	k.scan = func(ctx context.Context, from uuid.UUID, n int32) ([]scanned, error) {
		behind := slices.IndexFunc(ids, func(id uuid.UUID) bool {
			order := compareUUIDs(id, from)
			return newest && order < 0 || !newest && order > 0
		})
		if behind < 0 {
			return nil, nil
		}
		some := ids[behind:min(len(ids), behind+int(n))]
		rows, err := q.ScanObjectivesAmong(ctx, db.ScanObjectivesAmongParams{Archived: base.Archived, State: base.State, CycleID: base.CycleID, TeamID: base.TeamID, OwnerID: base.OwnerID,
			ActorID: base.ActorID, SeesAll: base.SeesAll, TeamIDs: base.TeamIDs, LeadTeamIDs: base.LeadTeamIDs, OrganizationID: base.OrganizationID, IDs: some})
		if err != nil {
			return nil, err
		}
		shown := make(map[uuid.UUID]bool, len(rows))
		for _, r := range rows {
			shown[r.ID] = r.Shown
		}
		return converted(some, func(id uuid.UUID) scanned { return scanned{ID: id, Shown: shown[id]} }), nil
	}
	return nil
}

// page is the next page of a list, from where it goes on.
func (k *lookAt) page(ctx context.Context, q *db.Queries, a actor, l list) (items []objectiveRows, next *NextCursor, link *string, err error) {
	found, err := k.collect(ctx, q, a, l.from.id, l.size)
	if err != nil {
		return nil, nil, nil, err
	}
	if !found.ended {
		cursor, header := l.behind(position{id: found.last})
		next, link = &cursor, &header
	}
	items, err = objectivesInOrder(ctx, q, a, found.ids, found.loaded)
	return items, next, link, err
}

// collected is what a look at a list found.
type collected struct {
	ids    []uuid.UUID
	loaded map[uuid.UUID]objectiveRows // what has been read of them
	last   uuid.UUID                   // where the list goes on
	ended  bool                        // nothing is left of it
}

// collect looks at the objectives behind one until it has found as many as size and knows whether there are more, nothing is left, or it has looked at as many as one page does.
func (k *lookAt) collect(ctx context.Context, q *db.Queries, a actor, from uuid.UUID, size int) (collected, error) {
	c := collected{ids: []uuid.UUID{}, loaded: map[uuid.UUID]objectiveRows{}, last: from}
	for looked := 0; looked < objectiveScan && len(c.ids) <= size && !c.ended; {
		n := min(scanAtOnce, objectiveScan-looked)
		if looked == 0 && k.words == nil && k.health == nil && k.outdated == nil {
			n = size + 1
		}
		rows, err := k.scan(ctx, c.last, int32(n))
		if err != nil {
			return c, err
		}
		c.ended = len(rows) < n
		if len(rows) == 0 {
			break
		}
		looked, c.last = looked+len(rows), rows[len(rows)-1].ID
		some, err := k.keep(ctx, q, a, rows, c.loaded)
		if err != nil {
			return c, err
		}
		c.ids = append(c.ids, some...)
	}
	if len(c.ids) > size {
		c.ids, c.ended, c.last = c.ids[:size], false, c.ids[size-1]
	}
	return c, nil
}

// keep says which of those that were scanned are shown. What it has read for that is in loaded.
func (k *lookAt) keep(ctx context.Context, q *db.Queries, a actor, rows []scanned, loaded map[uuid.UUID]objectiveRows) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	for _, r := range rows {
		if r.Shown {
			ids = append(ids, r.ID)
		}
	}
	if k.words != nil && len(ids) > 0 {
		matching, err := q.ListMatchingObjectives(ctx, db.ListMatchingObjectivesParams{OrganizationID: a.OrganizationID, IDs: ids, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, Words: k.words})
		if err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { return !slices.Contains(matching, id) })
	}
	if k.health == nil && k.outdated == nil {
		return ids, nil
	}
	all, err := objectivesInOrder(ctx, q, a, ids, loaded)
	if err != nil {
		return nil, err
	}
	ids = ids[:0]
	for _, o := range all {
		s := o.standing(a)
		if (k.health == nil || s.health == *k.health) && (k.outdated == nil || s.outdated == *k.outdated) {
			ids, loaded[o.objective.ID] = append(ids, o.objective.ID), o
		}
	}
	return ids, nil
}

// objectivesInOrder reads objectives with their key results, in the order of ids, but those that are loaded already. One that has gone out of sight is left out.
func objectivesInOrder(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID, loaded map[uuid.UUID]objectiveRows) ([]objectiveRows, error) {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { _, ok := loaded[id]; return ok })
	found := make(map[uuid.UUID]objectiveRows, len(ids))
	for some := range slices.Chunk(missing, scanAtOnce) {
		rows, err := q.ListVisibleObjectives(ctx, db.ListVisibleObjectivesParams{OrganizationID: a.OrganizationID, IDs: some, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		all, err := withKeyResults(ctx, q, a, converted(rows, func(r db.ListVisibleObjectivesRow) db.GetVisibleObjectiveRow { return db.GetVisibleObjectiveRow(r) }))
		if err != nil {
			return nil, err
		}
		for _, o := range all {
			found[o.objective.ID] = o
		}
	}
	items := make([]objectiveRows, 0, len(ids))
	for _, id := range ids {
		o, ok := found[id]
		if !ok {
			o, ok = loaded[id]
		}
		if ok {
			items = append(items, o)
		}
	}
	return items, nil
}

func converted[From, To any](rows []From, convert func(From) To) []To {
	out := make([]To, len(rows))
	for i, r := range rows {
		out[i] = convert(r)
	}
	return out
}

// joined is how a list of ids stands in a query.
func joined(ids []uuid.UUID) string {
	return strings.Join(converted(ids, uuid.UUID.String), ",")
}

func compareUUIDs(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) }
