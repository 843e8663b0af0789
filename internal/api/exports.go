package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	interchange "github.com/kakeai/kakeai/internal/exchange"
)

const (
	exportObjectives = 50              // of which one transaction reads everything
	exportCheckIns   = 2001            // the bound of ListExportCheckIns
	exportStep       = 200             // check-ins of one key result that has more than that
	writeTime        = 2 * time.Minute // for a client to take a page
)

// exportFile is an export that is written page by page: a page is read, its connection given back, and only then is it written to whoever may be slow.
type exportFile struct {
	contentType string
	name        string
	first       func() ([]byte, error) // the beginning and the first page, so that what goes wrong there is answered as an error
	next        func() ([]byte, error) // nil behind the end
}

// VisitExportObjectivesResponse implements ExportObjectivesResponseObject.
func (f exportFile) VisitExportObjectivesResponse(w http.ResponseWriter) error {
	page, err := f.first()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", f.name))
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	for len(page) > 0 {
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a server without deadlines needs none extended
		if _, err := w.Write(page); err != nil {
			return nil //nolint:nilerr // the client has gone
		}
		if page, err = f.next(); err != nil {
			panic(http.ErrAbortHandler) // so that nobody takes for the whole file what is a part of it
		}
	}
	return nil
}

// ExportObjectives writes everything that the actor may see, each page as it is when its turn comes.
func (s *Server) ExportObjectives(ctx context.Context, request ExportObjectivesRequestObject) (ExportObjectivesResponseObject, error) {
	e := &export{s: s, ctx: ctx, cycle: request.Params.CycleID, more: true}
	file := exportFile{contentType: "text/csv; charset=utf-8", name: "kakeai-okr.csv", first: e.page, next: e.page}
	e.write, e.begin = e.csv, []byte("\xEF\xBB\xBF"+strings.Join(headers(), ",")+"\r\n")
	if p := request.Params.Encoding; p != nil {
		switch *p {
		case ExportObjectivesParamsEncodingUTF8:
			e.begin = e.begin[3:]
		case ExportObjectivesParamsEncodingShiftJis:
			file.contentType, e.begin, e.japanese = "text/csv; charset=shift_jis", e.begin[3:], true
		case ExportObjectivesParamsEncodingUTF8Bom:
		}
	}
	if p := request.Params.Format; p != nil && *p == ExportObjectivesParamsFormatJSON {
		file.contentType, file.name, e.write = "application/json", "kakeai-okr.json", e.json
		e.begin, e.end, e.japanese = []byte(`{"format":"kakeai","version":1,"rows":[`), []byte("\n]}\n"), false
	}
	first, err := e.page()
	if err != nil {
		return nil, err
	}
	file.first = func() ([]byte, error) { return first, nil }
	return file, nil
}

func headers() []string {
	fields := interchange.Exported()
	return converted(fields, func(f interchange.Field) string { return string(f) })
}

// export is how far an export has come.
type export struct {
	s        *Server
	ctx      context.Context //nolint:containedctx // the request's: an export is written while it is answered
	cycle    *uuid.UUID
	after    uuid.UUID
	rest     *restOfKeyResult // a key result with more check-ins than a page takes
	more     bool
	rows     int
	write    func(rows []map[interchange.Field]string) ([]byte, error)
	begin    []byte
	end      []byte
	japanese bool
}

// restOfKeyResult is where in a page of objectives the export stands.
type restOfKeyResult struct {
	objectives []exported
	objective  int
	keyResult  int
	afterAt    time.Time
	afterID    uuid.UUID
	checkIns   map[uuid.UUID][]db.ListExportCheckInsAfterRow // of all key results of the page; nil where there are too many
}

// exported is an objective with its key results, and what others know of them by name.
type exported struct {
	row        db.ListExportObjectivesAfterRow
	keyResults []keyResultRows
	emails     map[uuid.UUID]string
}

// page is the next part of the file; empty behind its end.
func (e *export) page() ([]byte, error) {
	out := e.begin
	e.begin = nil
	for e.more {
		rows, err := read(e.ctx, e.s, e.read)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		part, err := e.write(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
		e.rows += len(rows)
		return e.encoded(out)
	}
	out = append(out, e.end...)
	e.end = nil
	return e.encoded(out)
}

func (e *export) encoded(text []byte) ([]byte, error) {
	if !e.japanese {
		return text, nil
	}
	return interchange.ToShiftJIS(text)
}

// read reads the next rows in one transaction.
func (e *export) read(ctx context.Context, q *db.Queries, a actor) ([]map[interchange.Field]string, error) {
	if e.rest == nil {
		page, err := e.objectives(ctx, q, a)
		if err != nil {
			return nil, err
		}
		if len(page) < exportObjectives {
			e.more = false
		}
		if len(page) == 0 {
			return nil, nil
		}
		e.after = page[len(page)-1].row.Objective.ID
		rest := &restOfKeyResult{objectives: page}
		if rest.checkIns, err = checkInsOf(ctx, q, a, page); err != nil {
			return nil, err
		}
		e.rest = rest
	}
	last := !e.more
	rows, done, err := e.rest.next(ctx, q, a)
	if err != nil {
		return nil, err
	}
	e.more = true
	if done {
		e.rest = nil
		e.more = !last
	}
	return rows, nil
}

func (e *export) objectives(ctx context.Context, q *db.Queries, a actor) ([]exported, error) {
	rows, err := q.ListExportObjectivesAfter(ctx, db.ListExportObjectivesAfterParams{OrganizationID: a.OrganizationID, AfterID: e.after, CycleID: e.cycle, ActorID: a.UserID,
		SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, PageSize: exportObjectives})
	if err != nil {
		return nil, err
	}
	all, err := withKeyResults(ctx, q, a, converted(rows, func(r db.ListExportObjectivesAfterRow) db.GetVisibleObjectiveRow {
		return db.GetVisibleObjectiveRow{Objective: r.Objective}
	}))
	if err != nil {
		return nil, err
	}
	var owners []uuid.UUID
	page := make([]exported, len(rows))
	for n, o := range all {
		page[n].row = rows[n]
		for _, k := range o.keyResults {
			if k.ArchivedAt != nil {
				continue
			}
			page[n].keyResults = append(page[n].keyResults, k)
			if k.OwnerID != nil {
				owners = append(owners, *k.OwnerID)
			}
		}
	}
	emails := map[uuid.UUID]string{}
	slices.SortFunc(owners, func(x, y uuid.UUID) int { return bytes.Compare(x[:], y[:]) })
	for some := range slices.Chunk(slices.Compact(owners), namesAtOnce) {
		people, err := q.ListMemberEmails(ctx, db.ListMemberEmailsParams{OrganizationID: a.OrganizationID, UserIDs: some})
		if err != nil {
			return nil, err
		}
		for _, p := range people {
			emails[p.UserID] = p.Email
		}
	}
	for n := range page {
		page[n].emails = emails
	}
	return page, nil
}

// checkInsOf are the check-ins of a page's key results, unless they are too many to be read at once.
func checkInsOf(ctx context.Context, q *db.Queries, a actor, page []exported) (map[uuid.UUID][]db.ListExportCheckInsAfterRow, error) {
	var ids []uuid.UUID
	for _, o := range page {
		for _, k := range o.keyResults {
			ids = append(ids, k.ID)
		}
	}
	rows, err := q.ListExportCheckIns(ctx, db.ListExportCheckInsParams{OrganizationID: a.OrganizationID, KeyResultIDs: ids})
	if err != nil || len(rows) == exportCheckIns {
		return nil, err
	}
	all := map[uuid.UUID][]db.ListExportCheckInsAfterRow{}
	for _, r := range rows {
		all[r.KeyResultID] = append(all[r.KeyResultID], db.ListExportCheckInsAfterRow(r))
	}
	return all, nil
}

// next are the next rows of the page, and whether they are its last.
func (r *restOfKeyResult) next(ctx context.Context, q *db.Queries, a actor) (rows []map[interchange.Field]string, done bool, err error) {
	for ; r.objective < len(r.objectives); r.objective, r.keyResult = r.objective+1, 0 {
		o := r.objectives[r.objective]
		if len(o.keyResults) == 0 {
			rows = append(rows, o.cells())
		}
		for ; r.keyResult < len(o.keyResults); r.keyResult++ {
			k := o.keyResults[r.keyResult]
			if r.checkIns != nil {
				if rows, err = appendKeyResult(rows, o, k, r.checkIns[k.ID], true); err != nil {
					return nil, false, err
				}
				continue
			}
			begins := r.afterAt.IsZero()
			some, err := q.ListExportCheckInsAfter(ctx, db.ListExportCheckInsAfterParams{OrganizationID: a.OrganizationID, KeyResultID: k.ID, AfterAt: r.afterAt, AfterID: r.afterID, PageSize: exportStep})
			if err != nil {
				return nil, false, err
			}
			if rows, err = appendKeyResult(rows, o, k, some, begins); err != nil {
				return nil, false, err
			}
			if len(some) == exportStep {
				r.afterAt, r.afterID = some[len(some)-1].CheckedAt, some[len(some)-1].ID
				return rows, false, nil
			}
			r.afterAt, r.afterID = time.Time{}, uuid.Nil
			if len(rows) >= exportStep {
				r.keyResult++
				return rows, false, nil
			}
		}
	}
	return rows, true, nil
}

// appendKeyResult adds a row for each check-in, or one without; begins says that there were none before.
func appendKeyResult(rows []map[interchange.Field]string, o exported, k keyResultRows, checkIns []db.ListExportCheckInsAfterRow, begins bool) ([]map[interchange.Field]string, error) {
	row := o.cells()
	if err := keyResultCells(row, k, o.emails); err != nil {
		return nil, err
	}
	if len(checkIns) == 0 && begins {
		return append(rows, row), nil
	}
	for _, c := range checkIns {
		of := make(map[interchange.Field]string, len(row)+7)
		for f, v := range row {
			of[f] = v
		}
		checkInCells(of, k, c)
		rows = append(rows, of)
	}
	return rows, nil
}

func (o exported) cells() map[interchange.Field]string {
	v := o.row.Objective
	row := map[interchange.Field]string{interchange.ObjectiveID: v.ID.String(), interchange.Objective: v.Title, interchange.Kind: string(v.Kind), interchange.Visibility: string(v.Visibility),
		interchange.State: string(v.State), interchange.Archived: strconv.FormatBool(v.ArchivedAt != nil), interchange.Owner: o.row.OwnerEmail, interchange.Cycle: o.row.CycleName,
		interchange.Score: number(v.Score)}
	if v.Description != nil {
		row[interchange.ObjectiveDescription] = *v.Description
	}
	if o.row.TeamName != nil {
		row[interchange.Team] = *o.row.TeamName
	}
	if o.row.VisibleParentID != nil {
		row[interchange.ParentObjective] = o.row.VisibleParentID.String()
		if v.ParentKeyResultID != nil {
			row[interchange.ParentKeyResult] = v.ParentKeyResultID.String()
		}
	}
	return row
}

func keyResultCells(row map[interchange.Field]string, k keyResultRows, emails map[uuid.UUID]string) error {
	row[interchange.KeyResultID], row[interchange.KeyResult], row[interchange.KeyResultKind], row[interchange.Unit] = k.ID.String(), k.Title, string(k.Kind), k.Unit
	if k.Description != nil {
		row[interchange.KeyResultDescription] = *k.Description
	}
	if k.OwnerID != nil {
		row[interchange.KeyResultOwner] = emails[*k.OwnerID]
	}
	row[interchange.Baseline], row[interchange.Target], row[interchange.Stretch] = number(k.Baseline), number(k.Target), number(k.Stretch)
	row[interchange.AtLeast], row[interchange.AtMost], row[interchange.Tolerance] = number(k.AtLeast), number(k.AtMost), number(k.Tolerance)
	row[interchange.Weight] = k.Weight.String()
	steps := make([]interchange.StepIntent, len(k.steps))
	for n, s := range k.steps {
		steps[n] = interchange.StepIntent{Title: s.Title, Weight: s.Weight}
	}
	if len(steps) == 0 {
		return nil
	}
	cell, err := interchange.StepsCell(steps)
	row[interchange.Steps] = cell
	return err
}

func checkInCells(row map[interchange.Field]string, k keyResultRows, c db.ListExportCheckInsAfterRow) {
	row[interchange.CheckInID], row[interchange.Value], row[interchange.Confidence] = c.ID.String(), number(c.Value), strconv.Itoa(int(c.Confidence))
	row[interchange.CheckedAt], row[interchange.CheckedBy] = c.CheckedAt.UTC().Format(time.RFC3339Nano), c.AuthorEmail
	if c.Note != nil {
		row[interchange.Note] = *c.Note
	}
	var done []string
	for n, s := range k.steps {
		if slices.Contains(c.DoneStepIDs, s.ID) {
			done = append(done, strconv.Itoa(n+1))
		}
	}
	row[interchange.DoneSteps] = strings.Join(done, " ")
}

func number(d *decimal.Decimal) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func (e *export) csv(rows []map[interchange.Field]string) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range rows {
		cells := converted(interchange.Exported(), func(f interchange.Field) string { return interchange.Neutral(row[f]) })
		if err := w.Write(cells); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

func (e *export) json(rows []map[interchange.Field]string) ([]byte, error) {
	var out bytes.Buffer
	for n, row := range rows {
		if e.rows+n > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n{")
		for i, f := range interchange.Exported() {
			if i > 0 {
				out.WriteByte(',')
			}
			value, err := json.Marshal(row[f])
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "%q:%s", f, value)
		}
		out.WriteByte('}')
	}
	return out.Bytes(), nil
}
