package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/kakeai/kakeai/internal/db"
	interchange "github.com/kakeai/kakeai/internal/exchange"
)

const (
	workbookType    = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	workbooksAtOnce = 2       // each may hold some 100 MiB while it is read
	workbookHeld    = 1 << 20 // bytes of one that are held in memory; of more, the rest is in a file without a name
)

// receiveWorkbook reads a sheet of a workbook into the database. What a workbook consists of stands at its end, so, other than text, it has to be there before it can be read.
func (u *upload) receiveWorkbook(ctx context.Context, body io.Reader, sheet *string, ended *db.EndUploadParams) error {
	file, size, done, err := spooled(body)
	if err != nil {
		return err
	}
	defer done()
	select {
	case u.s.workbooks <- struct{}{}:
		defer func() { <-u.s.workbooks }()
	case <-ctx.Done():
		return ctx.Err()
	}
	workbook, err := interchange.NewWorkbook(file, size)
	if err != nil {
		return err
	}
	name := ""
	if sheet != nil {
		name = *sheet
	}
	table, err := workbook.Sheet(name)
	if err != nil {
		return err
	}
	defer table.Close()
	ended.Sheet, ended.Sheets = table.Name, workbook.Sheets
	if u.headers, err = u.firstRow(table); err != nil {
		return err
	}
	if err := u.keepAll(ctx, table); err != nil {
		return err
	}
	u.describe(ended)
	return nil
}

// spooled takes a body to where it can be read in any order, until done is called.
func spooled(body io.Reader) (file io.ReaderAt, size int64, done func(), err error) {
	var held bytes.Buffer
	size, err = io.CopyN(&held, body, workbookHeld)
	if err == io.EOF { //nolint:errorlint // io.CopyN's own
		return bytes.NewReader(held.Bytes()), size, func() {}, nil
	}
	if err != nil {
		return nil, 0, nil, err
	}
	rest, err := os.CreateTemp("", "kakeai-workbook-*")
	if err != nil {
		return nil, 0, nil, noRoom(err)
	}
	done = func() { _ = rest.Close() } // which is also its end: it has no name any more
	if err := os.Remove(rest.Name()); err != nil {
		done()
		return nil, 0, nil, noRoom(err)
	}
	if _, err := rest.Write(held.Bytes()); err != nil {
		done()
		return nil, 0, nil, noRoom(err)
	}
	more, err := io.Copy(rest, io.LimitReader(body, interchange.MaxWorkbook+1-size))
	var disk *fs.PathError
	if errors.As(err, &disk) {
		err = noRoom(err)
	}
	if err != nil {
		done()
		return nil, 0, nil, err
	}
	return rest, size + more, done, nil
}

// noRoom says that a file cannot be put down. Why stands in the log.
func noRoom(cause error) error {
	return fmt.Errorf("%w: %w", unavailable("unavailable", "There is no room for the file at present"), cause)
}
