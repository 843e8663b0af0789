package fetch

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
)

const (
	// maxExpansion is how many times its size a body may decompress to. Text comes to ten or twenty; a bomb to a thousand.
	maxExpansion = 100
	// freeBytes may be decompressed of however little, so that a short page of blanks is no bomb.
	freeBytes = 64 << 10
)

// body reads a response's body: decompressed, and with an Error where it breaks a bound.
type body struct {
	source     *counting // as it comes over the connection
	text       io.Reader // decompressed
	compressed bool
	limit      int64
	truncate   bool
	read       int64
}

type counting struct {
	io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func newBody(answer *http.Response, l Limits) (*body, error) {
	b := &body{source: &counting{Reader: answer.Body}, limit: l.Bytes, truncate: l.Truncate}
	if answer.ContentLength > l.Bytes && !l.Truncate {
		return nil, failf(FailedSize, "%d bytes are announced, and %d allowed", answer.ContentLength, l.Bytes)
	}
	b.text = b.source
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(answer.Header.Values("Content-Encoding"), ",")))
	if answer.Body == http.NoBody || encoding == "" || encoding == "identity" {
		return b, nil
	}
	// Read one at a time: what is not decompressed yet is not read from the connection either, so the ratio is of what both sides have seen, give or take a buffer.
	source := bufio.NewReaderSize(b.source, 4<<10)
	if _, err := source.Peek(1); errors.Is(err, io.EOF) {
		return b, nil // a HEAD-like answer that says how it would be compressed
	}
	b.compressed = true
	var err error
	switch encoding {
	case "gzip", "x-gzip":
		b.text, err = gzip.NewReader(source)
	case "deflate":
		b.text, err = newInflater(source)
	default:
		return nil, failf(FailedEncoding, "Content-Encoding %.60q", encoding)
	}
	if err != nil {
		return nil, b.explain(err)
	}
	return b, nil
}

// newInflater reads what RFC 9110 calls deflate, which is zlib's format; and the bare stream, which some servers send by that name.
func newInflater(source *bufio.Reader) (io.Reader, error) {
	if head, err := source.Peek(2); err == nil && head[0]&0x0f == 8 && (uint16(head[0])<<8|uint16(head[1]))%31 == 0 {
		return zlib.NewReader(source)
	}
	return flate.NewReader(source), nil
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	left := b.limit - b.read
	if left <= 0 && b.truncate {
		return 0, io.EOF
	}
	if b.truncate || int64(len(p)) > left+1 {
		p = p[:min(int64(len(p)), max(left, 0)+b.beyond())]
	}
	n, err := b.text.Read(p)
	b.read += int64(n)
	switch {
	case b.read > b.limit:
		return 0, failf(FailedSize, "longer than %d bytes", b.limit)
	case b.compressed && b.read > freeBytes && b.read > maxExpansion*b.source.n:
		return 0, failf(FailedExpansion, "more than %d times its size", maxExpansion)
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	}
	return n, b.explain(err)
}

// beyond is the byte that shows that there are more than allowed.
func (b *body) beyond() int64 {
	if b.truncate {
		return 0
	}
	return 1
}

func (b *body) explain(err error) error {
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrHeader), errors.Is(err, zlib.ErrChecksum), errors.Is(err, zlib.ErrDictionary),
		errors.As(err, &damaged):
		return fail(FailedEncoding, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail(FailedLength, err)
	}
	return explain(err, FailedLength) // the connection broke, or its chunks do not add up
}
