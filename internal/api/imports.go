package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	interchange "github.com/kakeai/kakeai/internal/exchange"
	"github.com/kakeai/kakeai/internal/intake"
	"github.com/kakeai/kakeai/internal/outbox"
)

const (
	uploadRows  = 500     // rows of a file that are kept in one transaction,
	uploadBytes = 1 << 20 // or as many as have so many bytes
	maxRows     = 200_000
	sampleRows  = 5
	endingTime  = 5 * time.Second // for a broken upload to be marked as such
)

func importView(i db.Import, names map[uuid.UUID]string) Import {
	v := Import{ID: i.ID, Revision: i.Revision, FileName: i.FileName, Format: ImportFormat(i.Format), Encoding: i.Encoding, Separator: i.Separator, Layout: i.Layout,
		Columns: columnsOf(i), DecimalMark: ImportDecimalMark(i.DecimalMark), DateOrder: ImportDateOrder(i.DateOrder), Source: i.Source, CycleID: i.CycleID,
		GoodRowsOnly: i.GoodRowsOnly, DefaultState: ImportDefaultState(i.DefaultState), State: ImportState(i.State), RowCount: int(i.RowCount), Progress: int(i.Progress),
		Failure: i.Failure, CreatedAt: i.CreatedAt, CreatedBy: person(i.CreatedBy, names), ChangedAt: i.ChangedAt}
	for _, l := range interchange.Layouts() {
		if l.Name == i.Layout {
			v.LayoutSource = &l.Source
		}
	}
	if i.Format == "xlsx" {
		v.Sheet, v.Sheets = &i.Sheet, &i.Sheets
	}
	if i.State == intake.Checking || i.State == intake.Running {
		v.Phase = &i.Phase
		percent, done, total := intake.Percent(i), int(i.PhaseDone), int(i.PhaseTotal)
		v.Percent, v.PhaseDone, v.PhaseTotal = &percent, &done, &total
	}
	var counts intake.Counts
	if json.Unmarshal(i.Counts, &counts) == nil && counts.Rows != nil {
		v.Rows, v.Objectives, v.KeyResults, v.CheckIns = countsView(counts.Rows), countsView(counts.Objectives), countsView(counts.KeyResults), countsView(counts.CheckIns)
	}
	return v
}

func countsView(of map[string]int32) *ImportCounts {
	return &ImportCounts{Create: int(of["create"]), Update: int(of["update"]), Same: int(of["same"]), Refused: int(of["refused"])}
}

// columnsOf says what each column means, or why it means nothing.
func columnsOf(i db.Import) []ImportColumn {
	columns := make([]ImportColumn, len(i.Headers))
	_, guess := interchange.Guess(i.Headers)
	for n, header := range i.Headers {
		columns[n] = ImportColumn{Header: header, Field: ImportField(i.Mapping[n])}
		if i.Mapping[n] != "" {
			continue
		}
		because := "No field is called that. Say which one it is if it is one."
		if guess[n] != "" {
			because = fmt.Sprintf("It could be %s, and is left out.", guess[n])
		} else if _, alone := interchange.Guess([]string{header}); alone[0] != "" {
			because = fmt.Sprintf("It could be %s, which another column is.", alone[0])
		}
		columns[n].Ignored = &because
	}
	return columns
}

func viewImport(ctx context.Context, q *db.Queries, a actor, i db.Import) (Import, error) {
	names, err := namesOf(ctx, q, a, i.CreatedBy)
	return importView(i, names), err
}

// importOf reads an import of the actor's own, or as an admin anybody's.
func importOf(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.Import, error) {
	i, err := q.GetImport(ctx, db.GetImportParams{OrganizationID: a.OrganizationID, ID: id})
	if err == nil && i.CreatedBy != a.UserID && !a.administers() {
		return db.Import{}, errNotFound
	}
	return i, err
}

// ListImports lists the files that the actor brought, for admins everybody's.
func (s *Server) ListImports(ctx context.Context, request ListImportsRequestObject) (ListImportsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/imports", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListImportsResponseObject, error) {
		var rows []db.Import
		var err error
		if a.administers() {
			rows, err = q.ListImportsBefore(ctx, db.ListImportsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: l.pageSize()})
		} else {
			rows, err = q.ListImportsOfUserBefore(ctx, db.ListImportsOfUserBeforeParams{OrganizationID: a.OrganizationID, UserID: a.UserID, BeforeID: before, PageSize: l.pageSize()})
		}
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(i db.Import) position { return position{id: i.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(i db.Import) uuid.UUID { return i.CreatedBy })...)
		items := converted(rows, func(i db.Import) Import { return importView(i, names) })
		return ListImports200Response{Body: ImportPage{Items: items, NextCursor: next}, Headers: ListImports200ResponseHeaders{Link: link}}, err
	})
}

// upload is a file on its way into the database.
type upload struct {
	s       *Server
	x       *exchange
	id      uuid.UUID
	headers []string
	rows    int32
	size    int // of what is still to be kept
	pending db.CreateImportRowsParams
}

// CreateImport keeps a file as it comes. No connection is held while the client sends.
func (s *Server) CreateImport(ctx context.Context, request CreateImportRequestObject) (CreateImportResponseObject, error) {
	x := exchangeOf(ctx)
	if !x.signedIn {
		return nil, errSignedOut
	}
	u := &upload{s: s, x: x, id: db.NewID()}
	made := db.CreateImportParams{ID: u.id, Format: "csv", Source: interchange.Own}
	switch x.mediaType {
	case "application/json":
		made.Format = "json"
	case workbookType:
		made.Format = "xlsx"
	}
	if request.Params.FileName != nil {
		made.FileName = *request.Params.FileName
	}
	if err := storable("/query/file_name", made.FileName); err != nil {
		return nil, err
	}
	if request.Params.Sheet != nil {
		if err := storable("/query/sheet", *request.Params.Sheet); err != nil {
			return nil, err
		}
	}
	sentBefore := false
	err := u.write(ctx, func(ctx context.Context, q *db.Queries, a actor) error {
		if !a.writes() {
			return errNotAllowed
		}
		var err error
		if sentBefore, err = a.hasClaimed(ctx, q); err != nil || sentBefore {
			return err
		}
		made.OrganizationID, made.ActorID = a.OrganizationID, a.UserID
		_, err = q.CreateImport(ctx, made)
		return err
	})
	s.charge(x, err)
	if err != nil {
		return nil, err
	}
	payload := sha256.New()
	if sentBefore { // the body is only compared
		if _, err := io.Copy(payload, *request.Body); err != nil {
			return nil, badRequest(FieldProblem{Pointer: "", Code: "body-incomplete", Detail: "The body broke off."})
		}
	}
	ended := db.EndUploadParams{OrganizationID: x.token.Organization, ID: u.id, State: intake.Uploaded, Headers: []string{}, Mapping: []string{}, Sheets: []string{}, Source: interchange.Own}
	if !sentBefore {
		if err := u.receive(ctx, io.TeeReader(*request.Body, payload), made.Format, request.Params, &ended); err != nil {
			return nil, u.broken(ctx, ended, err)
		}
	}
	payload.Sum(x.payload[:0])
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateImportResponseObject, error) {
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		i, err := q.EndUpload(ctx, ended)
		if err != nil {
			return nil, err
		}
		if err := recordImport(ctx, q, a, "import.uploaded", i, map[string]any{"rows": i.RowCount, "layout": i.Layout}); err != nil {
			return nil, err
		}
		view, err := viewImport(ctx, q, a, i)
		return CreateImport201Response{Body: view, Headers: CreateImport201ResponseHeaders{ETag: etag(i.Revision), Location: location("imports", i.ID)}}, err
	})
}

func recordImport(ctx context.Context, q *db.Queries, a actor, action string, i db.Import, detail any) error {
	return record(ctx, q, a, event{action: action, targetKind: "import", target: i.ID, targetRevision: &i.Revision, detail: detail})
}

// write is one short transaction, for whoever sends the file as they are known in it.
func (u *upload) write(ctx context.Context, work func(ctx context.Context, q *db.Queries, a actor) error) error {
	return u.s.store.Write(ctx, u.x.scope(db.Normal), func(ctx context.Context, q *db.Queries) error {
		a, err := actorForWrite(ctx, q, u.x)
		if err != nil {
			return err
		}
		return work(ctx, q, a)
	})
}

// receive reads the file into the database, and says in ended what it is.
func (u *upload) receive(ctx context.Context, body io.Reader, format string, params CreateImportParams, ended *db.EndUploadParams) error {
	if format == "xlsx" {
		return u.receiveWorkbook(ctx, body, params.Sheet, ended)
	}
	name := ""
	if params.Encoding != nil {
		name = string(*params.Encoding)
	}
	text, err := interchange.NewText(body, name)
	if err != nil {
		return err
	}
	var table interchange.Table
	var objects *interchange.Objects
	if format == "json" {
		objects = interchange.NewObjects(text)
		table = objects
	} else {
		file, err := interchange.NewCSV(text, separatorFor(params.Separator))
		if err != nil {
			return err
		}
		ended.Separator = string(file.Separator)
		table = file
		if u.headers, err = u.firstRow(table); err != nil {
			return err
		}
	}
	if err := u.keepAll(ctx, table); err != nil {
		return err
	}
	if objects != nil {
		u.headers = objects.Headers
	}
	ended.Encoding = text.Encoding()
	u.describe(ended)
	return nil
}

// keepAll keeps the rows that there are.
func (u *upload) keepAll(ctx context.Context, table interchange.Table) error {
	for {
		cells, line, err := table.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := u.keep(ctx, cells, line); err != nil {
			return err
		}
	}
	if u.rows == 0 {
		return &interchange.FileError{Code: "empty", Detail: "The file has no rows."}
	}
	return u.flush(ctx)
}

// describe says what a file turned out to be.
func (u *upload) describe(ended *db.EndUploadParams) {
	layout, mapping := interchange.Guess(u.headers)
	ended.Headers, ended.Layout, ended.RowCount = u.headers, layout.Name, u.rows
	ended.Mapping = converted(mapping, func(f interchange.Field) string { return string(f) })
	ended.Source = layout.Name
}

func separatorFor(named *CreateImportParamsSeparator) rune {
	if named == nil {
		return 0
	}
	switch string(*named) {
	case "semicolon":
		return ';'
	case "tab":
		return '\t'
	}
	return ','
}

func (u *upload) firstRow(table interchange.Table) ([]string, error) {
	headers, _, err := table.Next()
	if errors.Is(err, io.EOF) {
		return nil, &interchange.FileError{Code: "empty", Detail: "The file has no rows."}
	}
	for n, h := range headers {
		headers[n] = truncate(h, 300)
	}
	return headers, err
}

// keep takes a row, and writes what has gathered when it is enough.
func (u *upload) keep(ctx context.Context, cells []string, line int) error {
	if u.rows == maxRows {
		return &interchange.FileError{Code: "too-many-rows", Detail: fmt.Sprintf("A file has at most %d rows. Bring it in parts.", maxRows), Line: line}
	}
	if u.x.mediaType != "application/json" && len(cells) > len(u.headers) {
		if extra := cells[len(u.headers):]; slices.ContainsFunc(extra, func(c string) bool { return c != "" }) {
			if u.x.mediaType == workbookType {
				return &interchange.FileError{Code: "too-many-cells", Detail: fmt.Sprintf("The row has a cell in column %d, and the first row names %d columns.", len(cells), len(u.headers)), Line: line}
			}
			return &interchange.FileError{Code: "too-many-cells", Detail: fmt.Sprintf("The row has %d cells, and the first line names %d columns. Perhaps a cell holds the separator and is not in quotation marks.", len(cells), len(u.headers)), Line: line}
		}
		cells = cells[:len(u.headers)]
	}
	text, err := json.Marshal(cells)
	if err != nil {
		return err
	}
	u.rows++
	u.pending.Positions, u.pending.Lines, u.pending.Cells = append(u.pending.Positions, u.rows), append(u.pending.Lines, int32(line)), append(u.pending.Cells, string(text)) //nolint:gosec // of 64 MiB
	u.size += len(text)
	if len(u.pending.Cells) == uploadRows || u.size >= uploadBytes {
		return u.flush(ctx)
	}
	return nil
}

func (u *upload) flush(ctx context.Context) error {
	if len(u.pending.Cells) == 0 {
		return nil
	}
	err := u.write(ctx, func(ctx context.Context, q *db.Queries, a actor) error {
		u.pending.OrganizationID, u.pending.ImportID = a.OrganizationID, u.id
		return q.CreateImportRows(ctx, u.pending)
	})
	u.pending, u.size = db.CreateImportRowsParams{}, 0
	return err
}

// broken marks a file that did not come whole, or cannot be read, and says why.
func (u *upload) broken(ctx context.Context, ended db.EndUploadParams, cause error) error {
	answer := cause
	failure := "body-incomplete"
	var file *interchange.FileError
	var tooLarge *http.MaxBytesError
	var asked *problem
	switch {
	case errors.As(cause, &file):
		failure = file.Code
		answer = invalid(FieldProblem{Pointer: "", Code: file.Code, Detail: sentence(file.Error())})
	case errors.As(cause, &tooLarge):
		failure = "too-large"
		answer = &problem{status: errTooLarge.status, kind: errTooLarge.kind, title: errTooLarge.title, detail: fmt.Sprintf("A file has at most %d bytes here.", tooLarge.Limit)}
	case errors.As(cause, &asked), problemOf(cause) != errInternal:
		failure = "interrupted"
	default: // the client went away
		answer = badRequest(FieldProblem{Pointer: "", Code: "body-incomplete", Detail: "The body broke off."})
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endingTime)
	defer cancel()
	ended.State, ended.Failure, ended.RowCount, ended.Headers, ended.Mapping = intake.Failed, &failure, u.rows, []string{}, []string{}
	err := u.write(ctx, func(ctx context.Context, q *db.Queries, _ actor) error {
		_, err := q.EndUpload(ctx, ended)
		return err
	})
	if err != nil {
		u.s.log.WarnContext(ctx, "a broken upload is left behind", "request_id", u.x.requestID, "error", err)
	}
	return answer
}

// GetImport shows one import with its first rows.
func (s *Server) GetImport(ctx context.Context, request GetImportRequestObject) (GetImportResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetImportResponseObject, error) {
		i, err := importOf(ctx, q, a, request.ImportID)
		if err != nil {
			return nil, err
		}
		view, err := viewImport(ctx, q, a, i)
		if err != nil {
			return nil, err
		}
		rows, err := q.ListImportRowsAfter(ctx, db.ListImportRowsAfterParams{OrganizationID: a.OrganizationID, ImportID: i.ID, PageSize: sampleRows})
		if err != nil {
			return nil, err
		}
		sample := make([][]string, 0, len(rows))
		for _, r := range rows {
			cells, err := cellsOf(r)
			if err != nil {
				return nil, err
			}
			sample = append(sample, cells)
		}
		view.Sample = &sample
		return GetImport200Response{Body: view, Headers: GetImport200ResponseHeaders{ETag: etag(i.Revision)}}, nil
	})
}

func cellsOf(r db.ImportRow) ([]string, error) {
	var cells []string
	err := json.Unmarshal(r.Cells, &cells)
	return cells, err
}

// staleImport says why a change of an import found no row.
func staleImport(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition) error {
	i, err := importOf(ctx, q, a, id)
	if err != nil {
		return err
	}
	view, err := viewImport(ctx, q, a, i)
	if err != nil {
		return err
	}
	if i.Revision != from.revision {
		names, err := namesOf(ctx, q, a, i.ChangedBy)
		if err != nil {
			return err
		}
		by := person(i.ChangedBy, names)
		return from.stale(view, i.Revision, &by, i.ChangedAt)
	}
	return wrongState("A file that is being brought, worked on or done, or that could not be read, stays as it is.", view)
}

// UpdateImport changes how a file is read.
func (s *Server) UpdateImport(ctx context.Context, request UpdateImportRequestObject) (UpdateImportResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateImportResponseObject, error) {
		i, err := mayWorkOn(ctx, q, a, request.ImportID)
		if err != nil {
			return nil, err
		}
		change, err := importChange(ctx, q, a, i, request.Body, from)
		if err != nil {
			return nil, err
		}
		i, err = q.UpdateImportIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleImport(ctx, q, a, request.ImportID, from)
		}
		if err != nil {
			return nil, err
		}
		if err := recordImport(ctx, q, a, "import.updated", i, nil); err != nil {
			return nil, err
		}
		view, err := viewImport(ctx, q, a, i)
		return UpdateImport200Response{Body: view, Headers: UpdateImport200ResponseHeaders{ETag: etag(i.Revision)}}, err
	})
}

// mayWorkOn reads an import that the actor may change, and claims the request's key.
func mayWorkOn(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.Import, error) {
	i, err := importOf(ctx, q, a, id)
	if err != nil {
		return i, err
	}
	if !a.writes() {
		return i, errNotAllowed
	}
	return i, a.claim(ctx, q)
}

func importChange(ctx context.Context, q *db.Queries, a actor, i db.Import, patch *ImportPatch, from precondition) (db.UpdateImportIfRevisionParams, error) {
	change := db.UpdateImportIfRevisionParams{OrganizationID: a.OrganizationID, ID: i.ID, Revision: from.revision, ActorID: a.UserID, Mapping: []string{}, DecimalMark: i.DecimalMark,
		DateOrder: i.DateOrder, Source: i.Source, DefaultState: i.DefaultState}
	var refused []FieldProblem
	if m := patch.Mapping; m != nil {
		change.SetMapping = true
		change.Mapping = converted(*m, func(f ImportField) string { return string(f) })
		refused = append(refused, mappingProblems(change.Mapping, len(i.Headers))...)
	}
	if v := patch.DecimalMark; v != nil {
		change.SetDecimalMark, change.DecimalMark = true, string(*v)
	}
	if v := patch.DateOrder; v != nil {
		change.SetDateOrder, change.DateOrder = true, string(*v)
	}
	if v := patch.Source; v != nil {
		change.SetSource, change.Source = true, *v
	}
	if v := patch.GoodRowsOnly; v != nil {
		change.SetGoodRowsOnly, change.GoodRowsOnly = true, *v
	}
	if v := patch.DefaultState; v != nil {
		change.SetDefaultState, change.DefaultState = true, string(*v)
	}
	if set, id := nullableField(patch.CycleID); set {
		change.SetCycle, change.CycleID = true, id
		if id != nil {
			_, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: *id})
			if errors.Is(err, pgx.ErrNoRows) {
				refused = append(refused, notThere("/cycle_id", "cycle"))
			} else if err != nil {
				return change, err
			}
		}
	}
	if len(refused) > 0 {
		return change, invalid(refused...)
	}
	return change, nil
}

// mappingProblems refuses a mapping that no row could be read by.
func mappingProblems(mapping []string, columns int) (refused []FieldProblem) {
	if len(mapping) != columns {
		return []FieldProblem{{Pointer: "/mapping", Code: "length", Detail: fmt.Sprintf("The file has %d columns; say of each what it means.", columns)}}
	}
	seen := map[string]bool{}
	for n, f := range mapping {
		if f != "" && seen[f] {
			refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/mapping/%d", n), Code: "repeated", Detail: "Another column is this field already."})
		}
		seen[f] = true
	}
	if !seen[string(interchange.Objective)] && !seen[string(interchange.Item)] && !seen[string(interchange.ObjectiveID)] {
		refused = append(refused, FieldProblem{Pointer: "/mapping", Code: "required", Detail: "One column is the objective, or the item."})
	}
	return refused
}

// CheckImport has a file checked.
func (s *Server) CheckImport(ctx context.Context, request CheckImportRequestObject) (CheckImportResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CheckImportResponseObject, error) {
		view, err := startImport(ctx, q, a, request.ImportID, from, intake.Checking, "import.check_started")
		return CheckImport202Response{Body: view, Headers: CheckImport202ResponseHeaders{ETag: etag(view.Revision)}}, err
	})
}

// RunImport has a file checked and run.
func (s *Server) RunImport(ctx context.Context, request RunImportRequestObject) (RunImportResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RunImportResponseObject, error) {
		view, err := startImport(ctx, q, a, request.ImportID, from, intake.Running, "import.run_started")
		return RunImport202Response{Body: view, Headers: RunImport202ResponseHeaders{ETag: etag(view.Revision)}}, err
	})
}

// startImport gives the work to whoever takes events out of the outbox.
func startImport(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition, state, action string) (Import, error) {
	i, err := mayWorkOn(ctx, q, a, id)
	if err != nil {
		return Import{}, err
	}
	if len(i.Headers) > 0 && i.Revision == from.revision {
		if refused := mappingProblems(i.Mapping, len(i.Headers)); len(refused) > 0 {
			return Import{}, invalid(refused...)
		}
	}
	work := db.NewID()
	i, err = q.StartImportIfRevision(ctx, db.StartImportIfRevisionParams{OrganizationID: a.OrganizationID, ID: id, Revision: from.revision, State: state, WorkID: work, ActorID: a.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return Import{}, staleImport(ctx, q, a, id, from)
	}
	if err != nil {
		return Import{}, err
	}
	if err := outbox.Enqueue(ctx, q, a.OrganizationID, intake.Kind, work, nil); err != nil {
		return Import{}, err
	}
	if err := recordImport(ctx, q, a, action, i, map[string]any{"rows": i.RowCount, "good_rows_only": i.GoodRowsOnly}); err != nil {
		return Import{}, err
	}
	return viewImport(ctx, q, a, i)
}

// CancelImport stops the work on a file.
func (s *Server) CancelImport(ctx context.Context, request CancelImportRequestObject) (CancelImportResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CancelImportResponseObject, error) {
		i, err := mayWorkOn(ctx, q, a, request.ImportID)
		if err != nil {
			return nil, err
		}
		cancelled, err := q.CancelImport(ctx, db.CancelImportParams{OrganizationID: a.OrganizationID, ID: i.ID, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			view, err := viewImport(ctx, q, a, i)
			if err != nil {
				return nil, err
			}
			return nil, wrongState("Nobody is at work on it.", view)
		}
		if err != nil {
			return nil, err
		}
		if err := recordImport(ctx, q, a, "import.cancelled", cancelled, nil); err != nil {
			return nil, err
		}
		view, err := viewImport(ctx, q, a, cancelled)
		return CancelImport200Response{Body: view, Headers: CancelImport200ResponseHeaders{ETag: etag(cancelled.Revision)}}, err
	})
}

// ListImportRows lists a file's rows.
func (s *Server) ListImportRows(ctx context.Context, request ListImportRowsRequestObject) (ListImportRowsResponseObject, error) {
	filters := url.Values{}
	if request.Params.Result != nil {
		filters.Set("result", string(*request.Params.Result))
	}
	l, err := s.newList(exchangeOf(ctx), "/imports/"+request.ImportID.String()+"/rows", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	after := int32(l.from.revision) //nolint:gosec // a position, which was an int32
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListImportRowsResponseObject, error) {
		i, err := importOf(ctx, q, a, request.ImportID)
		if err != nil {
			return nil, err
		}
		var rows []db.ImportRow
		if request.Params.Result == nil {
			rows, err = q.ListImportRowsAfter(ctx, db.ListImportRowsAfterParams{OrganizationID: a.OrganizationID, ImportID: i.ID, AfterPosition: after, PageSize: l.pageSize()})
		} else {
			rows, err = q.ListImportRowsOfResultAfter(ctx, db.ListImportRowsOfResultAfterParams{OrganizationID: a.OrganizationID, ImportID: i.ID, Result: string(*request.Params.Result), AfterPosition: after, PageSize: l.pageSize()})
		}
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ImportRow) position { return position{revision: int64(r.Position)} })
		items := make([]ImportRow, 0, len(rows))
		for _, r := range rows {
			view, err := importRowView(i, r)
			if err != nil {
				return nil, err
			}
			items = append(items, view)
		}
		return ListImportRows200Response{Body: ImportRowPage{Items: items, NextCursor: next}, Headers: ListImportRows200ResponseHeaders{Link: link}}, nil
	})
}

func importRowView(i db.Import, r db.ImportRow) (ImportRow, error) {
	v := ImportRow{Row: int(r.Position), Line: int(r.Line), Problems: []ImportProblem{}}
	if r.Result != nil {
		result := ImportResult(*r.Result)
		v.Result = &result
	}
	var err error
	if v.Cells, err = cellsOf(r); err != nil {
		return v, err
	}
	var problems []interchange.Problem
	if err := json.NewDecoder(bytes.NewReader(r.Problems)).Decode(&problems); err != nil {
		return v, err
	}
	for _, p := range problems {
		view := ImportProblem{Code: p.Code, Detail: p.Detail}
		if p.Field != "" {
			field := ImportField(p.Field)
			view.Field = &field
		}
		if p.Column >= 0 && p.Column < len(i.Headers) {
			view.Column, view.Header = &p.Column, &i.Headers[p.Column]
		}
		v.Problems = append(v.Problems, view)
	}
	return v, nil
}
