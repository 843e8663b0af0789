package intake

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/exchange"
)

// maxAncestors is how many levels up an alignment goes.
const maxAncestors = 20

// align decides to what the next objectives contribute. All objectives have been planned, so it is known which are refused.
func (j *job) align(ctx context.Context) error {
	entities, err := j.q.ListImportEntitiesAfter(ctx, db.ListImportEntitiesAfterParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind, AfterKey: j.i.AfterKey, PageSize: objectivesAtOnce})
	if err != nil {
		return err
	}
	var page []db.ImportEntity
	for _, e := range entities {
		if e.AlignedTo != "" && e.Change != refused {
			page = append(page, e)
		}
	}
	if len(page) > 0 {
		if err := j.alignPage(ctx, page); err != nil {
			return err
		}
	}
	if len(entities) < objectivesAtOnce {
		return j.advance(ctx, checkIns, 0, "", 0)
	}
	return j.advance(ctx, alignment, 0, entities[len(entities)-1].Key, len(entities))
}

// references are the things of one kind that texts of a page refer to: in the file, or there already.
type references struct {
	inFile map[string]db.ImportEntity // by key
	there  map[string]uuid.UUID       // by key
}

func (j *job) references(ctx context.Context, kind string, keys []string) (references, error) {
	r := references{inFile: map[string]db.ImportEntity{}, there: map[string]uuid.UUID{}}
	if len(keys) == 0 {
		return r, nil
	}
	found, err := j.q.ListImportEntities(ctx, db.ListImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: kind, Keys: keys})
	if err != nil {
		return r, err
	}
	for _, e := range found {
		r.inFile[e.Key] = e
	}
	var rest []thing
	for _, k := range keys {
		if _, ok := r.inFile[k]; !ok {
			rest = append(rest, thing{kind: kind, key: k})
		}
	}
	if len(rest) == 0 {
		return r, nil
	}
	known, err := j.known(ctx, rest)
	for n, id := range known {
		r.there[n.key] = id
	}
	return r, err
}

func (j *job) alignPage(ctx context.Context, page []db.ImportEntity) error {
	var parents, keyResults []string
	wanted := make([]exchange.ObjectiveIntent, len(page))
	for n, e := range page {
		if err := json.Unmarshal(e.Intent, &wanted[n]); err != nil {
			return err
		}
		if e.AlignedTo != clearParent {
			parents = append(parents, "id:"+e.AlignedTo)
		}
		if of := wanted[n].ParentKeyResult; of != nil && *of != "" {
			keyResults = append(keyResults, "id:"+*of)
		}
	}
	to, err := j.references(ctx, objectiveKind, parents)
	if err != nil {
		return err
	}
	toKeyResult, err := j.references(ctx, keyResultKind, keyResults)
	if err != nil {
		return err
	}
	above, err := j.above(ctx, to)
	if err != nil {
		return err
	}
	var present []uuid.UUID
	for _, id := range to.there {
		present = append(present, id)
	}
	visible := map[uuid.UUID]*presentObjective{}
	if len(present) > 0 {
		if visible, err = j.parentsThere(ctx, present); err != nil {
			return err
		}
	}
	p := db.AlignImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work}
	found := problems{}
	for n, e := range page {
		refuse := func(f exchange.Field, code, detail string) { found.add(e.Position, j.problem(f, code, detail)) }
		before := len(found[e.Position])
		parent, depth := j.parentOf(e, to, visible, above, refuse)
		keyResult := ""
		if of := wanted[n].ParentKeyResult; of != nil && *of != "" && parent != "" {
			keyResult = j.parentKeyResult("id:"+*of, parent, "id:"+e.AlignedTo, toKeyResult, visible, refuse)
		}
		change := refused
		if len(found[e.Position]) == before {
			if change, err = changeByAlignment(e, parent, keyResult); err != nil {
				return err
			}
		}
		p.Keys, p.Depths, p.Changes = append(p.Keys, e.Key), append(p.Depths, depth), append(p.Changes, change)
		p.ParentIDs, p.ParentKeyResultIDs = append(p.ParentIDs, parent), append(p.ParentKeyResultIDs, keyResult)
	}
	if err := j.write(ctx, found); err != nil {
		return err
	}
	return j.q.AlignImportEntities(ctx, p)
}

func changeByAlignment(e db.ImportEntity, parent, keyResult string) (string, error) {
	if e.Change != same {
		return e.Change, nil
	}
	var c db.ObjectiveContent
	if err := json.Unmarshal(e.Plan, &c); err != nil {
		return "", err
	}
	if idText(c.ParentObjectiveID) == parent && idText(c.ParentKeyResultID) == keyResult {
		return same, nil
	}
	return update, nil
}

// presentObjective is an objective that is there, with its key results that are not archived.
type presentObjective struct {
	archived   bool
	keyResults map[uuid.UUID]bool
}

func (j *job) parentsThere(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*presentObjective, error) {
	rows, err := j.present(ctx, ids)
	all := make(map[uuid.UUID]*presentObjective, len(rows))
	for id, o := range rows {
		p := &presentObjective{archived: o.ArchivedAt != nil, keyResults: map[uuid.UUID]bool{}}
		for _, k := range o.keyResults {
			p.keyResults[k.ID] = k.ArchivedAt == nil
		}
		all[id] = p
	}
	return all, err
}

// above are all that the file's parents of a page contribute to, level by level up, by key.
func (j *job) above(ctx context.Context, to references) (map[string]db.ImportEntity, error) {
	all := make(map[string]db.ImportEntity, len(to.inFile))
	next := to.inFile
	for range maxAncestors + 1 {
		var keys []string
		for k, e := range next {
			all[k] = e
			if up := "id:" + e.AlignedTo; e.AlignedTo != "" && e.AlignedTo != clearParent {
				if _, ok := all[up]; !ok {
					keys = append(keys, up)
				}
			}
		}
		if len(keys) == 0 {
			break
		}
		rows, err := j.q.ListImportEntities(ctx, db.ListImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind, Keys: keys})
		if err != nil {
			return nil, err
		}
		next = make(map[string]db.ImportEntity, len(rows))
		for _, e := range rows {
			next[e.Key] = e
		}
	}
	return all, nil
}

// parentOf finds the parent that an objective names, and how deep below the file's topmost it stands.
func (j *job) parentOf(e db.ImportEntity, to references, visible map[uuid.UUID]*presentObjective, above map[string]db.ImportEntity, refuse func(f exchange.Field, code, detail string)) (parent string, depth int32) {
	if e.AlignedTo == clearParent {
		return "", 0
	}
	key := "id:" + e.AlignedTo
	in, ok := to.inFile[key]
	if !ok {
		id, known := to.there[key]
		if known {
			if there, seen := visible[id]; seen && !there.archived && id != e.EntityID {
				return id.String(), 0
			}
		}
		refuse(exchange.ParentObjective, "not-found", "What it contributes to is neither in the file nor there for you to see.")
		return "", 0
	}
	for up := in; ; {
		depth++
		switch {
		case up.Key == e.Key || depth > maxAncestors:
			refuse(exchange.ParentObjective, "alignment-loop", "An objective cannot contribute to itself, directly or through others, nor more than 20 levels up.")
			return "", 0
		case up.Change == refused:
			refuse(exchange.ParentObjective, "belongs-to-refused", "What it contributes to is refused.")
			return "", 0
		case up.AlignedTo == "" || up.AlignedTo == clearParent:
			return in.EntityID.String(), depth
		}
		next, ok := above["id:"+up.AlignedTo]
		if !ok { // there already, and so not below anything in the file that is new
			return in.EntityID.String(), depth
		}
		up = next
	}
}

func (j *job) parentKeyResult(key, parent, parentKey string, to references, visible map[uuid.UUID]*presentObjective, refuse func(f exchange.Field, code, detail string)) string {
	if e, ok := to.inFile[key]; ok && e.Change != refused && e.ParentKey == parentKey {
		return e.EntityID.String()
	}
	if id, ok := to.there[key]; ok {
		for of, there := range visible {
			if strings.EqualFold(of.String(), parent) && there.keyResults[id] {
				return id.String()
			}
		}
	}
	refuse(exchange.ParentKeyResult, "not-found", "The parent has no such key result.")
	return ""
}
