// Package icon makes a small, harmless picture of whatever bytes somebody calls one: a square PNG or JPEG of this program's own making, with nothing
// of the original left but how it looks.
package icon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"sync"

	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
)

// What is taken, and what is made of it.
const (
	MaxBytes = 5 << 20 // of the original
	MaxSide  = 4096    // of the original in pixels, so that it has at most 16 Mi of them
	Size     = 256     // of the icon in pixels, both ways
)

const (
	// budget is the memory, in bytes, that all pictures of a Maker may take while they are decoded. A picture that alone would need more is refused.
	budget = 40 << 20
	// overhead is what a picture needs beside its own pixels: the scaler's rows (256 × 511 × 32 bytes), what is scaled from, and the encoders.
	overhead = 8 << 20
	// leftovers is how much decoding may leave for the garbage collector before it is made to collect. It would otherwise wait until the heap is a
	// multiple of what is in use, and the bound on memory would be one on paper.
	leftovers = 16 << 20
	// maxScans bounds how often a progressive JPEG goes over its pixels. Encoders make about ten; each costs a few bytes to ask for.
	maxScans = 64
)

// Icon is a picture of Size × Size pixels.
type Icon struct {
	Content     []byte // at most 512 KiB: that many pixels do not take more, not even where nothing can be compressed
	ContentType string // image/png or image/jpeg
	Hash        [sha256.Size]byte
}

// RefusedError says why something is not taken for a picture, in words for whoever sent it.
type RefusedError struct {
	Code   string // stable
	Detail string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("icon: %s: %s", e.Code, e.Detail) }

// ErrBusy says that too many pictures are being decoded for this one to have its turn before its context ended.
var ErrBusy = errors.New("icon: too many pictures at once")

// Maker makes icons, in a bounded amount of memory for all that are made at once. A process has one.
type Maker struct {
	memory *semaphore.Weighted

	mu   sync.Mutex
	left int64 // bytes that decoding has left behind since they were collected
}

// NewMaker returns a Maker.
func NewMaker() *Maker { return &Maker{memory: semaphore.NewWeighted(budget)} }

// Make makes an icon of a PNG, JPEG, GIF (its first frame) or WebP file: upright, cut to a square around the middle, scaled, and encoded anew. declared is
// the media type that it came with, or empty; a file of another type is refused. What is no such picture, or too large, is a *RefusedError; ErrBusy says that it did not have its turn.
// No caller may hold a database connection.
func (m *Maker) Make(ctx context.Context, declared string, content []byte) (Icon, error) {
	h, err := inspect(content)
	if err != nil {
		return Icon{}, err
	}
	if declared != "" && declared != h.mediaType {
		return Icon{}, refuse("type-differs", "It came as %s, and its bytes are %s.", declared, h.mediaType)
	}
	need := h.memory + overhead
	if need > budget {
		return Icon{}, refuse("too-many-pixels", "A picture of this kind with %d × %d pixels takes too much memory. Send a smaller one.", h.width, h.height)
	}
	if err := m.memory.Acquire(ctx, need); err != nil {
		return Icon{}, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	defer m.memory.Release(need)
	defer m.collect(need)
	return build(ctx, h, content)
}

// collect counts what a picture leaves behind, and has it collected before there is too much of it. The picture's share of the memory is still held.
func (m *Maker) collect(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left += bytes
	if m.left > leftovers {
		runtime.GC()
		m.left = 0
	}
}

func build(ctx context.Context, h header, content []byte) (made Icon, err error) {
	defer func() {
		if cause := recover(); cause != nil { // a decoder's mistake is the picture's fault, and nobody else's trouble
			made, err = Icon{}, unreadable(fmt.Errorf("panic: %v", cause))
		}
	}()
	original, err := decode(h.mediaType, &interruptible{ctx, bytes.NewReader(content)})
	if ctx.Err() != nil {
		return Icon{}, fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
	}
	if err != nil {
		return Icon{}, unreadable(err)
	}
	if b := original.Bounds(); !b.In(image.Rect(0, 0, h.width, h.height)) {
		return Icon{}, refuse("unreadable", "It is larger than it says.")
	}
	return encode(upright(square(original, h.width, h.height), h.orientation))
}

func decode(mediaType string, r io.Reader) (image.Image, error) {
	switch mediaType {
	case typePNG:
		return png.Decode(r)
	case typeJPEG:
		return jpeg.Decode(r)
	case typeGIF:
		return gif.Decode(r)
	}
	return webp.Decode(r)
}

// interruptible is a reader that ends with its context: decoders know of none, but none gets far without reading.
type interruptible struct {
	ctx context.Context //nolint:containedctx // io.Reader has no place for it, and this one lives for a single call
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

func refuse(code, detail string, arguments ...any) error {
	return &RefusedError{Code: code, Detail: fmt.Sprintf(detail, arguments...)}
}

func unreadable(err error) error {
	return &RefusedError{Code: "unreadable", Detail: fmt.Sprintf("It cannot be read: %v.", err)}
}
