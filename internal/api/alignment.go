package api

import (
	"context"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// The roots of a cycle come in two parts: those that contribute to nothing, then those whose parent is not in the tree that the actor sees. A cursor's revision is the part.
const (
	partOfRoots    = 0
	partOfParented = 1
)

// ListAlignmentRoots lists the roots of a cycle's alignment.
func (s *Server) ListAlignmentRoots(ctx context.Context, request ListAlignmentRootsRequestObject) (ListAlignmentRootsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/cycles/"+request.CycleID.String()+"/alignment", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListAlignmentRootsResponseObject, error) {
		if _, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID}); err != nil {
			return nil, err
		}
		found, at, err := rootsOf(ctx, q, a, l, request.CycleID)
		if err != nil {
			return nil, err
		}
		items, err := alignmentNodes(ctx, q, a, found)
		if err != nil || at == nil {
			return ListAlignmentRoots200Response{Body: AlignmentPage{Items: items}}, err
		}
		next, link := l.behind(*at)
		return ListAlignmentRoots200Response{Body: AlignmentPage{Items: items, NextCursor: &next}, Headers: ListAlignmentRoots200ResponseHeaders{Link: &link}}, nil
	})
}

// rootsOf is a page of roots, and where the next one begins; nil where there is none.
func rootsOf(ctx context.Context, q *db.Queries, a actor, l list, cycle uuid.UUID) (ids []uuid.UUID, at *position, err error) {
	from := l.from.id
	if l.from.revision == partOfRoots {
		base := asked(a)
		base.CycleID = &cycle
		roots := lookAt{scan: scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanRootsAfterParams { return db.ScanRootsAfterParams(b) }, q.ScanRootsAfter,
			func(r db.ScanRootsAfterRow) scanned { return scanned(r) })}
		found, err := roots.collect(ctx, q, a, from, l.size)
		if err != nil {
			return nil, nil, err
		}
		if !found.ended {
			return found.ids, &position{id: found.last, revision: partOfRoots}, nil
		}
		ids, from = found.ids, uuid.Nil
	}
	parented := lookAt{scan: func(ctx context.Context, from uuid.UUID, n int32) ([]scanned, error) {
		rows, err := q.ScanParentedAfter(ctx, db.ScanParentedAfterParams{OrganizationID: a.OrganizationID, CycleID: cycle, FromID: from, Scan: n, ActorID: a.UserID,
			SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		return converted(rows, func(r db.ScanParentedAfterRow) scanned { return scanned(r) }), err
	}}
	room := l.size - len(ids)
	found, err := parented.collect(ctx, q, a, from, max(room, 1)) // without room, whether there is anything
	switch {
	case err != nil:
		return nil, nil, err
	case room == 0 && (len(found.ids) > 0 || !found.ended):
		return ids, &position{id: from, revision: partOfParented}, nil
	case room > 0 && !found.ended:
		at = &position{id: found.last, revision: partOfParented}
	}
	if room > 0 {
		ids = append(ids, found.ids...)
	}
	return ids, at, nil
}

// ListChildren lists what contributes to an objective, or to one of its key results.
func (s *Server) ListChildren(ctx context.Context, request ListChildrenRequestObject) (ListChildrenResponseObject, error) {
	filters := url.Values{}
	keyResult := request.Params.KeyResultID
	if keyResult != nil {
		filters.Set("key_result_id", keyResult.String())
	}
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/children", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListChildrenResponseObject, error) {
		look := lookAt{scan: childrenScan(q, asked(a), request.ObjectiveID)}
		if keyResult == nil {
			if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
				return nil, err
			}
		} else {
			parent, err := wholeObjective(ctx, q, a, request.ObjectiveID)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(parent.keyResults, func(k keyResultRows) bool { return k.ID == *keyResult }) {
				return nil, pgx.ErrNoRows
			}
			look.scan = childrenOfKeyResultScan(q, asked(a), *keyResult)
		}
		items, next, link, err := levelPage(ctx, q, a, l, look)
		return ListChildren200Response{Body: AlignmentPage{Items: items, NextCursor: next}, Headers: ListChildren200ResponseHeaders{Link: link}}, err
	})
}

func childrenScan(q *db.Queries, base db.ScanObjectivesAfterParams, parent uuid.UUID) scan {
	return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanChildrenAfterParams {
		return db.ScanChildrenAfterParams{Archived: b.Archived, State: b.State, CycleID: b.CycleID, TeamID: b.TeamID, OwnerID: b.OwnerID, ActorID: b.ActorID, SeesAll: b.SeesAll,
			TeamIDs: b.TeamIDs, LeadTeamIDs: b.LeadTeamIDs, OrganizationID: b.OrganizationID, ParentID: parent, FromID: b.FromID, Scan: b.Scan}
	}, q.ScanChildrenAfter, func(r db.ScanChildrenAfterRow) scanned { return scanned(r) })
}

func childrenOfKeyResultScan(q *db.Queries, base db.ScanObjectivesAfterParams, keyResult uuid.UUID) scan {
	return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanChildrenOfKeyResultAfterParams {
		return db.ScanChildrenOfKeyResultAfterParams{Archived: b.Archived, State: b.State, CycleID: b.CycleID, TeamID: b.TeamID, OwnerID: b.OwnerID, ActorID: b.ActorID, SeesAll: b.SeesAll,
			TeamIDs: b.TeamIDs, LeadTeamIDs: b.LeadTeamIDs, OrganizationID: b.OrganizationID, KeyResultID: keyResult, FromID: b.FromID, Scan: b.Scan}
	}, q.ScanChildrenOfKeyResultAfter, func(r db.ScanChildrenOfKeyResultAfterRow) scanned { return scanned(r) })
}

// levelPage is a page of a list as the alignment shows it.
func levelPage(ctx context.Context, q *db.Queries, a actor, l list, look lookAt) (items []AlignmentNode, next *NextCursor, link *string, err error) {
	found, err := look.collect(ctx, q, a, l.from.id, l.size)
	if err != nil {
		return nil, nil, nil, err
	}
	if !found.ended {
		cursor, header := l.behind(position{id: found.last})
		next, link = &cursor, &header
	}
	items, err = alignmentNodes(ctx, q, a, found.ids)
	return items, next, link, err
}

func alignmentNodes(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID) ([]AlignmentNode, error) {
	if len(ids) == 0 {
		return []AlignmentNode{}, nil
	}
	all, err := objectivesInOrder(ctx, q, a, ids, nil)
	if err != nil {
		return nil, err
	}
	counts, err := q.CountChildren(ctx, db.CountChildrenParams{OrganizationID: a.OrganizationID, IDs: ids, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return nil, err
	}
	beneath := make(map[uuid.UUID]db.CountChildrenRow, len(counts))
	for _, c := range counts {
		beneath[c.ID] = c
	}
	links, err := q.CountLinksOfEach(ctx, db.CountLinksOfEachParams{OrganizationID: a.OrganizationID, IDs: ids, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return nil, err
	}
	beside := make(map[uuid.UUID]db.CountLinksOfEachRow, len(links))
	for _, l := range links {
		beside[l.ID] = l
	}
	nodes := converted(all, func(o objectiveRows) AlignmentNode { return o.node(a, beneath[o.objective.ID], beside[o.objective.ID]) })
	return nodes, nameKeyResults(ctx, q, a, nodes)
}

// nameKeyResults says of nodes what the key results are called that they contribute to.
func nameKeyResults(ctx context.Context, q *db.Queries, a actor, nodes []AlignmentNode) error {
	var ids []uuid.UUID
	for _, n := range nodes {
		if n.ParentKeyResultID != nil {
			ids = append(ids, *n.ParentKeyResultID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := q.ListKeyResultTitles(ctx, db.ListKeyResultTitlesParams{OrganizationID: a.OrganizationID, IDs: unique(ids)})
	if err != nil {
		return err
	}
	titles := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		titles[r.ID] = r.Title
	}
	for i, n := range nodes {
		if n.ParentKeyResultID != nil {
			nodes[i].ParentKeyResult = &NamedKeyResult{ID: *n.ParentKeyResultID, Title: titles[*n.ParentKeyResultID]}
		}
	}
	return nil
}

func (o objectiveRows) node(a actor, beneath db.CountChildrenRow, beside db.CountLinksOfEachRow) AlignmentNode {
	s := o.summary(a)
	parent, keyResult := o.parent()
	return AlignmentNode{ID: s.ID, Title: s.Title, Kind: s.Kind, Visibility: s.Visibility, State: s.State, Archived: s.Archived, Owner: s.Owner, TeamID: s.TeamID, CycleID: s.CycleID,
		ParentObjectiveID: parent, ParentKeyResultID: keyResult, ParentHidden: o.parentHidden, Progress: s.Progress, Health: s.Health, Outdated: s.Outdated, AnyOffTrack: s.AnyOffTrack,
		KeyResultCount: s.KeyResultCount, ChildCount: int(beneath.Children), MoreChildren: beneath.LookedAt > 200,
		SupportedCount: int(beside.Supported), SupporterCount: int(beside.Supporters)}
}

// GetAlignmentPath shows what an objective contributes to, up to a root.
func (s *Server) GetAlignmentPath(ctx context.Context, request GetAlignmentPathRequestObject) (GetAlignmentPathResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetAlignmentPathResponseObject, error) {
		rows, err := q.ListPathUp(ctx, db.ListPathUpParams{OrganizationID: a.OrganizationID, ID: request.ObjectiveID, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 || !rows[len(rows)-1].Shown {
			return nil, pgx.ErrNoRows
		}
		steps := make([]AlignmentStep, len(rows))
		for i, r := range rows {
			if !r.Shown {
				steps[i] = AlignmentStep{Hidden: true}
				continue
			}
			archived := r.ArchivedAt != nil
			steps[i] = AlignmentStep{ID: &r.ID, Title: &r.Title, State: &r.State, Archived: &archived, CycleID: &r.CycleID}
			if above := i - 1; above >= 0 && rows[above].Shown && r.ParentKeyResultID != nil && r.KeyResultTitle != nil {
				steps[i].KeyResult = &NamedKeyResult{ID: *r.ParentKeyResultID, Title: *r.KeyResultTitle}
			}
		}
		return GetAlignmentPath200Response{Body: AlignmentPath{Steps: steps}}, nil
	})
}
