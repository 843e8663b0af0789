package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

type (
	importCounts struct {
		Create  int `json:"create"`
		Update  int `json:"update"`
		Same    int `json:"same"`
		Refused int `json:"refused"`
	}
	importedFile struct {
		ID       uuid.UUID     `json:"id"`
		State    string        `json:"state"`
		Failure  string        `json:"failure"`
		Revision int64         `json:"revision"`
		RowCount int           `json:"row_count"`
		Rows     *importCounts `json:"rows"`
		Columns  []struct {
			Header string `json:"header"`
			Field  string `json:"field"`
		} `json:"columns"`
	}
	importedRow struct {
		Row      int `json:"row"`
		Problems []struct {
			Header string `json:"header"`
			Detail string `json:"detail"`
		} `json:"problems"`
	}
)

func importPath(id uuid.UUID, more string) string { return "/imports/" + id.String() + more }

// exchanging brings a file with mistakes in it, then one without, twice, and takes everything out.
func (t *tour) exchanging(ctx context.Context, ready *step) {
	t.chapter("files")
	name := "持ち込んだ目標 " + uuid.NewString()[:8]
	row := func(title, keyResult, target string) map[string]string {
		return map[string]string{"目標": title, "成果指標": keyResult, "目標値": target, "チェック": "x"}
	}
	var file importedFile
	brought := t.step(ctx, "bring a file, and see how it is read", func(s *sight) error {
		admin, cycle, err := t.bringing(ctx)
		if err != nil {
			return err
		}
		if file, err = bring(ctx, admin, cycle, row(name, "利用者", "１,２００人"), row(name, "解約率", "たくさん")); err != nil {
			return err
		}
		var read []string
		for _, c := range file.Columns {
			read = append(read, c.Header+" = "+orNothing(c.Field))
		}
		s.sum("%d rows: %s", file.RowCount, strings.Join(read, ", "))
		return nil
	}, ready)
	tried := t.step(ctx, "find out what running it would do", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		if file, err = work(ctx, admin, file, "/check"); err != nil {
			return err
		}
		rows, err := list[importedRow](ctx, admin, importPath(file.ID, "/rows"), url.Values{"result": {"refused"}})
		if err != nil {
			return err
		}
		if len(rows) != 1 || len(rows[0].Problems) != 1 {
			return fmt.Errorf("one reason against one row was due: %+v", rows)
		}
		s.sum("%d good, %d refused: row %d, %s: %s", file.Rows.Create, file.Rows.Refused, rows[0].Row, rows[0].Problems[0].Header, rows[0].Problems[0].Detail)
		return nil
	}, brought)
	t.step(ctx, "run it nevertheless: nothing is half-imported", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		if file, err = work(ctx, admin, file, "/run"); err != nil {
			return err
		}
		s.sum("%s, %s", file.State, file.Failure)
		if file.Failure != "rows-refused" {
			return errors.New("it was to be refused")
		}
		return nil
	}, tried)
	ran := t.step(ctx, "run the file put right", func(s *sight) error {
		return t.runFile(ctx, s, importCounts{Create: 2}, row(name, "利用者", "1200"), row(name, "解約率", "3%"))
	}, tried)
	again := t.step(ctx, "run it again: nothing new", func(s *sight) error {
		return t.runFile(ctx, s, importCounts{Same: 2}, row(name, "利用者", "1200"), row(name, "解約率", "3%"))
	}, ran)
	t.step(ctx, "take everything out that one may see", func(s *sight) error {
		viewer, err := t.as(ctx, yoko)
		if err != nil {
			return err
		}
		a, err := viewer.call(ctx, http.MethodGet, "/export?format=csv", nil, nil)
		if err != nil {
			return err
		}
		s.sum("%d bytes of CSV for %s", len(a.body), viewer.session.User.Name)
		if !strings.Contains(string(a.body), name) {
			return errors.New("what was brought is not in it")
		}
		return nil
	}, again)
}

func orNothing(field string) string {
	if field == "" {
		return "nothing"
	}
	return field
}

// bringing is an admin, and the cycle that is under way.
func (t *tour) bringing(ctx context.Context) (*client, uuid.UUID, error) {
	admin, err := t.as(ctx, kenichi)
	if err != nil {
		return nil, uuid.Nil, err
	}
	cycles, err := list[cycle](ctx, admin, "/cycles", url.Values{})
	for _, c := range cycles {
		if c.State == "active" {
			return admin, c.ID, err
		}
	}
	return nil, uuid.Nil, errors.Join(err, errors.New("no cycle is active"))
}

func bring(ctx context.Context, by *client, into uuid.UUID, rows ...map[string]string) (importedFile, error) {
	file, err := post[importedFile](ctx, by, "/imports?file_name=tour.json", rows)
	if err != nil {
		return file, err
	}
	return patch[importedFile](ctx, by, importPath(file.ID, ""), map[string]any{"revision": file.Revision, "cycle_id": into})
}

// work has a file checked or run, and waits until that is done.
func work(ctx context.Context, by *client, file importedFile, what string) (importedFile, error) {
	file, err := post[importedFile](ctx, by, importPath(file.ID, what), map[string]any{"revision": file.Revision})
	for err == nil && (file.State == "checking" || file.State == "running") {
		select {
		case <-ctx.Done():
			return file, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
		file, err = get[importedFile](ctx, by, importPath(file.ID, ""))
	}
	if err == nil && file.Rows == nil {
		err = fmt.Errorf("it is %s without any result: %s", file.State, file.Failure)
	}
	return file, err
}

func (t *tour) runFile(ctx context.Context, s *sight, want importCounts, rows ...map[string]string) error {
	admin, cycle, err := t.bringing(ctx)
	if err != nil {
		return err
	}
	file, err := bring(ctx, admin, cycle, rows...)
	if err != nil {
		return err
	}
	if file, err = work(ctx, admin, file, "/run"); err != nil {
		return err
	}
	s.sum("%s: %d new, %d changed, %d the same", file.State, file.Rows.Create, file.Rows.Update, file.Rows.Same)
	if file.State != "done" || *file.Rows != want {
		return fmt.Errorf("%+v was due: %+v", want, *file.Rows)
	}
	return nil
}
