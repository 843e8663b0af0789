package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/exchange"
)

// thing is what a row speaks of.
type thing struct {
	kind, key, parent string
	position          int32
	intent            json.RawMessage
	alignedTo         string
}

// clearParent stands for a row that says that its objective has no parent.
const clearParent = "-"

// read reads the next rows.
func (j *job) read(ctx context.Context) error {
	rows, err := j.q.ListImportRowsAfter(ctx, db.ListImportRowsAfterParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID, AfterPosition: j.i.AfterPosition, PageSize: rowsAtOnce})
	if err != nil {
		return err
	}
	j.rows.Above.Objective, j.rows.Above.KeyResult, _ = strings.Cut(j.i.AfterKey, "\n")
	found := db.SetImportRowsParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID}
	readings := make([]exchange.Reading, len(rows))
	for n, r := range rows {
		var cells []string
		if err := json.Unmarshal(r.Cells, &cells); err != nil {
			return err
		}
		readings[n] = j.rows.Row(cells)
	}
	first, err := j.gather(ctx, rows, readings)
	if err != nil {
		return err
	}
	for n, r := range rows {
		reading := readings[n]
		text, err := json.Marshal(append([]exchange.Problem{}, reading.Problems...))
		if err != nil {
			return err
		}
		found.Positions = append(found.Positions, r.Position)
		found.ObjectiveKeys = append(found.ObjectiveKeys, reading.ObjectiveKey)
		found.KeyResultKeys = append(found.KeyResultKeys, reading.KeyResultKey)
		found.CheckInKeys = append(found.CheckInKeys, reading.CheckInKey)
		found.Problems = append(found.Problems, string(text))
	}
	if err := j.put(ctx, first); err != nil {
		return err
	}
	if len(rows) > 0 {
		if err := j.q.SetImportRows(ctx, found); err != nil {
			return err
		}
	}
	if len(rows) < rowsAtOnce {
		return j.advance(ctx, objectives, 0, "", 0)
	}
	return j.advance(ctx, reading, rows[len(rows)-1].Position, j.rows.Above.Objective+"\n"+j.rows.Above.KeyResult, len(rows))
}

// things are what a row speaks of, with what it wants of each.
func things(position int32, r exchange.Reading) ([]thing, error) {
	var all []thing
	add := func(kind, key, parent, alignedTo string, intent any) error {
		text, err := json.Marshal(intent)
		all = append(all, thing{kind: kind, key: key, parent: parent, position: position, intent: text, alignedTo: alignedTo})
		return err
	}
	if o := r.Objective; o != nil {
		aligned := ""
		if o.Parent != nil {
			aligned = *o.Parent
			if aligned == "" {
				aligned = clearParent
			}
		}
		if err := add(objectiveKind, r.ObjectiveKey, "", aligned, o); err != nil {
			return nil, err
		}
	}
	if r.KeyResult != nil {
		if err := add(keyResultKind, r.KeyResultKey, r.ObjectiveKey, "", r.KeyResult); err != nil {
			return nil, err
		}
	}
	if r.CheckIn != nil {
		if err := add(checkInKind, r.CheckInKey, r.KeyResultKey, "", r.CheckIn); err != nil {
			return nil, err
		}
	}
	return all, nil
}

type name struct{ kind, key string }

// gather takes each thing from the first row that speaks of it. A later row that wants it otherwise is refused.
func (j *job) gather(ctx context.Context, rows []db.ImportRow, readings []exchange.Reading) ([]thing, error) {
	all := make([][]thing, len(rows))
	keys := map[string][]string{}
	for n, r := range rows {
		of, err := things(r.Position, readings[n])
		if err != nil {
			return nil, err
		}
		all[n] = of
		for _, t := range of {
			keys[t.kind] = append(keys[t.kind], t.key)
		}
	}
	first := map[name]thing{}
	for kind, some := range keys {
		entities, err := j.q.ListImportEntities(ctx, db.ListImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: kind, Keys: some})
		if err != nil {
			return nil, err
		}
		for _, e := range entities {
			intent, err := canonical(e.Kind, e.Intent)
			if err != nil {
				return nil, err
			}
			first[name{e.Kind, e.Key}] = thing{kind: e.Kind, key: e.Key, parent: e.ParentKey, position: e.Position, intent: intent}
		}
	}
	var put []thing
	for n := range rows {
		for _, t := range all[n] {
			before, ok := first[name{t.kind, t.key}]
			if !ok {
				first[name{t.kind, t.key}] = t
				put = append(put, t)
				continue
			}
			if !bytes.Equal(before.intent, t.intent) || before.parent != t.parent {
				readings[n].Problems = append(readings[n].Problems, j.problem(fieldOf(t.kind), "rows-differ",
					fmt.Sprintf("Row %d says otherwise of the same %s.", before.position, strings.ReplaceAll(t.kind, "_", " "))))
			}
		}
	}
	return put, nil
}

func fieldOf(kind string) exchange.Field {
	switch kind {
	case objectiveKind:
		return exchange.Objective
	case keyResultKind:
		return exchange.KeyResult
	}
	return exchange.CheckInID
}

// canonical is an intent as json.Marshal writes it, whatever the database made of it.
func canonical(kind string, text json.RawMessage) (json.RawMessage, error) {
	var intent any
	switch kind {
	case objectiveKind:
		intent = new(exchange.ObjectiveIntent)
	case keyResultKind:
		intent = new(exchange.KeyResultIntent)
	default:
		intent = new(exchange.CheckInIntent)
	}
	if err := json.Unmarshal(text, intent); err != nil {
		return nil, err
	}
	return json.Marshal(intent)
}

// put writes the things, each with the id that it is known by, or a new one.
func (j *job) put(ctx context.Context, all []thing) error {
	if len(all) == 0 {
		return nil
	}
	known, err := j.known(ctx, all)
	if err != nil {
		return err
	}
	p := db.PutImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, ImportID: j.i.ID}
	for _, t := range all {
		id, ok := known[name{t.kind, t.key}]
		if !ok {
			id = db.NewID()
		}
		p.Kinds, p.Keys, p.ParentKeys = append(p.Kinds, t.kind), append(p.Keys, t.key), append(p.ParentKeys, t.parent)
		p.Positions, p.EntityIDs, p.EventIDs = append(p.Positions, t.position), append(p.EntityIDs, id), append(p.EventIDs, db.NewID())
		p.Known, p.Intents, p.AlignedTo = append(p.Known, ok), append(p.Intents, string(t.intent)), append(p.AlignedTo, t.alignedTo)
	}
	return j.q.PutImportEntities(ctx, p)
}

// known are the ids of things that were brought before under the same names; in a file of this program also of things that have these very ids.
func (j *job) known(ctx context.Context, all []thing) (map[name]uuid.UUID, error) {
	p := db.ListExternalIDsParams{OrganizationID: j.i.OrganizationID, Source: j.i.Source}
	own := map[string][]uuid.UUID{}
	for _, t := range all {
		p.Kinds, p.ExternalIDs = append(p.Kinds, t.kind), append(p.ExternalIDs, t.key)
		if id, ok := j.ownID(t.key); ok {
			own[t.kind] = append(own[t.kind], id)
		}
	}
	known := make(map[name]uuid.UUID, len(all))
	if len(own[objectiveKind]) > 0 {
		rows, err := j.visible(ctx, own[objectiveKind])
		if err != nil {
			return nil, err
		}
		for id := range rows {
			known[name{objectiveKind, "id:" + id.String()}] = id
		}
	}
	if len(own[keyResultKind]) > 0 {
		rows, err := j.q.ListKeyResultsByID(ctx, db.ListKeyResultsByIDParams{OrganizationID: j.i.OrganizationID, IDs: own[keyResultKind]})
		if err != nil {
			return nil, err
		}
		for _, k := range rows {
			known[name{keyResultKind, "id:" + k.ID.String()}] = k.ID
		}
	}
	if len(own[checkInKind]) > 0 {
		rows, err := j.q.ListCheckInsByID(ctx, db.ListCheckInsByIDParams{OrganizationID: j.i.OrganizationID, IDs: own[checkInKind]})
		if err != nil {
			return nil, err
		}
		for _, c := range rows {
			known[name{checkInKind, "id:" + c.ID.String()}] = c.ID
		}
	}
	rows, err := j.q.ListExternalIDs(ctx, p)
	for _, x := range rows {
		known[name{x.Kind, x.ExternalID}] = x.EntityID
	}
	return known, err
}

// ownID is the id that a key of this program's own files holds.
func (j *job) ownID(key string) (uuid.UUID, bool) {
	text, ok := strings.CutPrefix(key, "id:")
	if !ok || j.i.Source != exchange.Own || len(text) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil && text == id.String()
}

// visible are those of the objectives that whoever asked for the import may see, at most 200.
func (j *job) visible(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]db.Objective, error) {
	rows, err := j.q.ListVisibleObjectivesByID(ctx, db.ListVisibleObjectivesByIDParams{OrganizationID: j.i.OrganizationID, IDs: ids, ActorID: j.actor.UserID, SeesAll: j.administers(),
		TeamIDs: j.actor.TeamIDs, LeadTeamIDs: j.actor.LeadTeamIDs})
	all := make(map[uuid.UUID]db.Objective, len(rows))
	for _, o := range rows {
		all[o.ID] = o
	}
	return all, err
}
