package icon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/gif"
)

// The media types that are taken.
const (
	typePNG  = "image/png"
	typeJPEG = "image/jpeg"
	typeGIF  = "image/gif"
	typeWebP = "image/webp"
)

// header is what a file says of itself before any of its pixels is decoded.
type header struct {
	mediaType     string
	width, height int
	orientation   int   // as in EXIF: 1 to 8
	memory        int64 // that decoding will take at most, in bytes
}

var errBroken = errors.New("its structure is broken")

// inspect finds out what bytes are, by their own beginning, and what they would cost. It takes no more memory than they do.
func inspect(content []byte) (header, error) {
	if len(content) > MaxBytes {
		return header{}, refuse("too-large", "A picture has at most %d MiB.", MaxBytes>>20)
	}
	var h header
	var err error
	switch {
	case bytes.HasPrefix(content, []byte(pngSignature)):
		h, err = inspectPNG(content)
	case bytes.HasPrefix(content, []byte{0xff, jpegSOI, 0xff}):
		h, err = inspectJPEG(content)
	case bytes.HasPrefix(content, []byte("GIF87a")), bytes.HasPrefix(content, []byte("GIF89a")):
		h, err = inspectGIF(content)
	case len(content) >= 12 && string(content[:4]) == "RIFF" && string(content[8:12]) == "WEBP":
		h, err = inspectWebP(content)
	default:
		return header{}, refuse("not-a-picture", "It is neither PNG nor JPEG, GIF or WebP.")
	}
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return header{}, err
	case err != nil:
		return header{}, unreadable(err)
	case h.width < 1 || h.height < 1:
		return header{}, refuse("unreadable", "It has no pixels.")
	case h.width > MaxSide || h.height > MaxSide:
		return header{}, refuse("too-many-pixels", "It has %d × %d pixels; at most %d × %d are taken.", h.width, h.height, MaxSide, MaxSide)
	}
	if h.orientation == 0 {
		h.orientation = 1
	}
	return h, nil
}

const pngSignature = "\x89PNG\r\n\x1a\n"

// maxChunks bounds what a PNG may have beside its pixels: the decoder leaves 4 KiB of garbage for each chunk that it passes over.
const maxChunks = 200

// inspectPNG reads IHDR, which has to come first, and walks over the rest.
func inspectPNG(content []byte) (header, error) {
	h := header{mediaType: typePNG}
	rest := content[len(pngSignature):]
	beside := 0
	for first := true; len(rest) >= 12; first = false {
		length, kind := binary.BigEndian.Uint32(rest), string(rest[4:8])
		if int64(length) > int64(len(rest)-12) {
			return h, errBroken
		}
		data := rest[8 : 8+length]
		rest = rest[12+length:]
		switch {
		case first && (kind != "IHDR" || length != 13):
			return h, errBroken
		case first:
			width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
			h.width, h.height = int(min(width, 1<<31-1)), int(min(height, 1<<31-1))
			h.memory = pngMemory(int64(h.width)*int64(h.height), data[8], data[9], data[12])
		case kind == "IEND":
			return h, nil
		case kind == "IDAT":
			continue
		case kind == "eXIf" && h.orientation == 0:
			h.orientation = orientationOf(data)
		}
		if beside++; beside > maxChunks {
			return h, refuse("too-many-chunks", "It has more than %d chunks beside its pixels.", maxChunks)
		}
	}
	return h, errBroken
}

// pngMemory: greyscale may turn out to have a transparent shade, which makes colours of it.
func pngMemory(pixels int64, depth, colours, interlace byte) int64 {
	const palette = 3
	bytes := int64(4)
	switch {
	case colours == palette:
		bytes = 1
	case depth == 16:
		bytes = 8
	}
	if interlace != 0 {
		return pixels * bytes * 2 // the whole, and each of the seven passes on its way there
	}
	return pixels * bytes
}

// inspectGIF takes the size of the screen, in which no frame may be larger.
func inspectGIF(content []byte) (header, error) {
	c, err := gif.DecodeConfig(bytes.NewReader(content))
	return header{mediaType: typeGIF, width: c.Width, height: c.Height, memory: int64(c.Width) * int64(c.Height)}, err
}

// The markers of JPEG that matter here.
const (
	jpegSOF0, jpegSOF2   = 0xc0, 0xc2
	jpegDHT, jpegDAC     = 0xc4, 0xcc
	jpegRST0, jpegRST7   = 0xd0, 0xd7
	jpegSOI, jpegEOI     = 0xd8, 0xd9
	jpegSOS              = 0xda
	jpegAPP1, jpegAPP14  = 0xe1, 0xee
	jpegSOF15, jpegJPG   = 0xcf, 0xc8
	jpegFill, jpegEscape = 0xff, 0x00
)

// inspectJPEG walks over all segments. It is stricter than the decoder, which passes over what stands between them, so that both see the same ones: the frame
// that is found here is the frame that will be decoded.
func inspectJPEG(content []byte) (header, error) {
	h := header{mediaType: typeJPEG}
	scans, isRGB := 0, false
	rest := content[2:]
	for {
		if len(rest) < 2 || rest[0] != 0xff {
			return h, errBroken
		}
		marker := rest[1]
		if marker == jpegFill {
			rest = rest[1:]
			continue
		}
		if marker == jpegEOI {
			break
		}
		if len(rest) < 4 {
			return h, errBroken
		}
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || length > len(rest)-2 {
			return h, errBroken
		}
		data := rest[4 : 2+length]
		rest = rest[2+length:]
		switch {
		case marker == jpegAPP1 && h.orientation == 0:
			if tiff, ok := bytes.CutPrefix(data, []byte("Exif\x00\x00")); ok {
				h.orientation = orientationOf(tiff)
			}
		case marker == jpegAPP14 && len(data) >= 12 && data[11] == 0: // Adobe's, without a transformation of colours
			isRGB = true
		case isFrame(marker):
			if h.width != 0 || scans > 0 {
				return h, errBroken
			}
			if err := h.readFrame(marker, data); err != nil {
				return h, err
			}
		case marker == jpegSOS:
			if scans++; scans > maxScans {
				return h, refuse("too-many-scans", "It goes over its pixels more than %d times.", maxScans)
			}
			rest = afterScan(rest)
		}
	}
	if h.width == 0 || scans == 0 {
		return h, errBroken
	}
	if isRGB {
		h.memory += 4 * int64(h.width) * int64(h.height) // it may be no YCbCr, and is then converted as a whole
	}
	return h, nil
}

func isFrame(marker byte) bool {
	return marker >= jpegSOF0 && marker <= jpegSOF15 && marker != jpegDHT && marker != jpegJPG && marker != jpegDAC
}

// readFrame reads a frame's header: its size, and how many samples it has in whole blocks.
func (h *header) readFrame(marker byte, data []byte) error {
	if len(data) < 6 || len(data) != 6+3*int(data[5]) {
		return errBroken
	}
	h.height, h.width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
	var across, down, blocks int64
	isRGB := len(data) == 6+9
	for i := 6; i < len(data); i += 3 {
		horizontal, vertical := int64(data[i+1]>>4), int64(data[i+1]&15)
		if horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4 {
			return errBroken
		}
		across, down = max(across, horizontal), max(down, vertical)
		blocks += horizontal * vertical
		isRGB = isRGB && data[i] == "RGB"[(i-6)/3]
	}
	if across == 0 {
		return errBroken
	}
	units := ((int64(h.width) + 8*across - 1) / (8 * across)) * ((int64(h.height) + 8*down - 1) / (8 * down))
	h.memory = 64 * blocks * units
	if marker == jpegSOF2 {
		h.memory *= 5 // a progressive one keeps the coefficients, of four bytes, until its last scan
	}
	if isRGB || len(data) == 6+12 {
		h.memory += 4 * int64(h.width) * int64(h.height) // converted as a whole
	}
	return nil
}

// afterScan is what follows a scan's own bytes: the next marker that does not belong to them.
func afterScan(rest []byte) []byte {
	for i := 0; i+1 < len(rest); i++ {
		if rest[i] == 0xff && rest[i+1] != jpegEscape && rest[i+1] != jpegFill && (rest[i+1] < jpegRST0 || rest[i+1] > jpegRST7) {
			return rest[i:]
		}
	}
	return nil
}

// inspectWebP takes lossy pictures without transparency, whose cost their size says. The lossless form, which transparency is kept in too, can ask for tens of
// thousands of code tables in a few bytes, and the decoder has no bound on them.
func inspectWebP(content []byte) (header, error) {
	h := header{mediaType: typeWebP}
	found := false
	for rest := content[12:]; len(rest) >= 8; {
		length, kind := binary.LittleEndian.Uint32(rest[4:]), string(rest[:4])
		if int64(length) > int64(len(rest)-8) {
			return h, errBroken
		}
		data := rest[8 : 8+length]
		rest = rest[min(int64(len(rest)), 8+int64(length)+int64(length&1)):]
		switch kind {
		case "VP8L", "ALPH", "ANIM", "ANMF":
			return h, refuse("webp-kind", "Of WebP, only lossy pictures without transparency are taken. Send it as PNG.")
		case "EXIF":
			h.orientation = orientationOf(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
		case "VP8 ":
			if found || len(data) < 10 || data[0]&1 != 0 || !bytes.Equal(data[3:6], []byte{0x9d, 0x01, 0x2a}) {
				return h, errBroken
			}
			found = true
			h.width, h.height = int(binary.LittleEndian.Uint16(data[6:])&0x3fff), int(binary.LittleEndian.Uint16(data[8:])&0x3fff)
			blocks := ((int64(h.width) + 15) / 16) * ((int64(h.height) + 15) / 16)
			h.memory = int64(len(content)) + blocks*512 // a copy of its bytes, and 256 of brightness, 128 of colour, and what is kept of each block for its neighbours and for smoothing
		}
	}
	if !found {
		return h, errBroken
	}
	return h, nil
}
