package mail

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// folderKeeps is how many mails a Folder holds; older ones make room.
const folderKeeps = 200

const folderSuffix = ".eml"

// Folder takes mails in development, where none is to leave the machine: a file for each, as it would have gone over the wire, so that other processes on the machine and
// the next start find them too.
type Folder struct{ root string }

var _ Transport = (*Folder)(nil)

// NewFolder returns the folder at a path. It is made when the first mail comes.
func NewFolder(path string) *Folder { return &Folder{path} }

// Deliver keeps a mail. One that comes again takes the place of itself.
func (f *Folder) Deliver(_ context.Context, m Message) error {
	if err := f.keep(m); err != nil {
		return &DeliveryError{Err: err}
	}
	return nil
}

func (f *Folder) keep(m Message) (err error) {
	if err := os.MkdirAll(f.root, 0o700); err != nil {
		return err
	}
	unfinished, err := os.CreateTemp(f.root, "unfinished-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(unfinished.Name()))
		}
	}()
	if _, err := unfinished.Write(m.Raw); err != nil {
		return errors.Join(err, unfinished.Close())
	}
	if err := unfinished.Close(); err != nil {
		return err
	}
	if err := os.Rename(unfinished.Name(), f.path(m.ID)); err != nil {
		return err
	}
	return f.makeRoom()
}

func (f *Folder) path(id uuid.UUID) string { return filepath.Join(f.root, id.String()+folderSuffix) }

func (f *Folder) makeRoom() error {
	ids, err := f.ids()
	if err != nil {
		return err
	}
	for _, id := range ids[min(folderKeeps, len(ids)):] {
		if err := os.Remove(f.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process makes room too
			return err
		}
	}
	return nil
}

// ids are those of the mails that are kept, newest first, by the time that ids hold.
func (f *Folder) ids() ([]uuid.UUID, error) {
	entries, err := os.ReadDir(f.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), folderSuffix)
		if id, err := uuid.Parse(name); ok && err == nil && id.String() == name {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(b[:], a[:]) })
	return ids, nil
}

// Opened is a mail that somebody looks at.
type Opened struct {
	ID                uuid.UUID
	Source            []byte
	Headers           []OpenedHeader // in their order, decoded
	From, To, Subject string
	Date              time.Time
	Text, HTML        string
	Attachments       []Attachment
}

// OpenedHeader is one line of a mail's header.
type OpenedHeader struct{ Name, Value string }

// Attachment is a part of a mail that is neither its text nor its HTML. Name is empty where it has none.
type Attachment struct {
	Name, Type string
	Content    []byte
}

// List returns the mails that are kept, newest first. One that another process has just removed is not among them.
func (f *Folder) List() ([]*Opened, error) {
	ids, err := f.ids()
	if err != nil {
		return nil, err
	}
	var all []*Opened
	for _, id := range ids[:min(folderKeeps, len(ids))] {
		o, err := f.Open(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// Open returns a mail; fs.ErrNotExist if it is not there.
func (f *Folder) Open(id uuid.UUID) (*Opened, error) {
	source, err := os.ReadFile(f.path(id))
	if err != nil {
		return nil, err
	}
	o, err := Open(source)
	if err != nil {
		return nil, fmt.Errorf("mail: %s: %w", id, err)
	}
	o.ID = id
	return o, nil
}

// Open takes a mail apart.
func Open(source []byte) (*Opened, error) {
	m, err := mail.ReadMessage(strings.NewReader(string(source)))
	if err != nil {
		return nil, err
	}
	o := &Opened{Source: source}
	decode := func(s string) string {
		if decoded, err := new(mime.WordDecoder).DecodeHeader(s); err == nil {
			return decoded
		}
		return s
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(string(source), "\r\n", "\n"), "\n\n")
	for line := range strings.SplitSeq(strings.NewReplacer("\n ", " ", "\n\t", " ").Replace(head), "\n") {
		name, value, _ := strings.Cut(line, ":")
		o.Headers = append(o.Headers, OpenedHeader{name, decode(strings.TrimSpace(value))})
	}
	o.From, o.To, o.Subject = decode(m.Header.Get("From")), decode(m.Header.Get("To")), decode(m.Header.Get("Subject"))
	if o.Date, err = m.Header.Date(); err != nil {
		return nil, err
	}
	return o, o.part(m.Header.Get, m.Body, 0)
}

// mostNesting is deeper than anything that is sent from here.
const mostNesting = 5

func (o *Opened) part(header func(string) string, body io.Reader, depth int) error {
	kind, parameters, err := mime.ParseMediaType(header("Content-Type"))
	if err != nil || depth > mostNesting {
		return errors.Join(err, errors.New("a part that cannot be read"))
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, parameters["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := o.part(part.Header.Get, part, depth+1); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	disposition, file, _ := mime.ParseMediaType(header("Content-Disposition")) // most parts have none
	switch {
	case disposition == "" && kind == "text/plain":
		o.Text = string(content)
	case disposition == "" && kind == "text/html":
		o.HTML = string(content)
	default:
		o.Attachments = append(o.Attachments, Attachment{Name: file["filename"], Type: header("Content-Type"), Content: content})
	}
	return nil
}
