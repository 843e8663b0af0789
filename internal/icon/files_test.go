package icon_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// The files that tests need are made here, the hostile ones byte by byte: no encoder would.

var (
	red    = color.RGBA{R: 220, A: 255}
	green  = color.RGBA{G: 200, A: 255}
	blue   = color.RGBA{B: 220, A: 255}
	yellow = color.RGBA{R: 220, G: 200, A: 255}
)

// quarters is a picture of four colours: top left, top right, bottom left, bottom right.
func quarters(width, height int, colours [4]color.RGBA) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			i := 0
			if x >= width/2 {
				i++
			}
			if y >= height/2 {
				i += 2
			}
			p.SetRGBA(x, y, colours[i])
		}
	}
	return p
}

func asPNG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asGIF(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, p, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tiff is EXIF's structure with an orientation between two other tags.
func tiff(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("II*\x00")
	if order.String() == binary.BigEndian.String() {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 3)
	entry := func(tag, kind uint16, value uint16) {
		b = order.AppendUint16(order.AppendUint16(b, tag), kind)
		b = order.AppendUint32(b, 1)
		b = append(order.AppendUint16(b, value), 0, 0)
	}
	entry(0x0100, 3, 640)
	entry(0x0112, 3, orientation)
	entry(0x0213, 3, 1)
	return order.AppendUint32(b, 0)
}

func segment(marker byte, data ...byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2)), data...)
}

// withEXIF puts EXIF into a JPEG file, behind its first marker.
func withEXIF(file, tiff []byte) []byte {
	return slices.Concat(file[:2], segment(0xe1, slices.Concat([]byte("Exif\x00\x00"), tiff)...), file[2:])
}

func chunk(kind string, data ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func ihdr(width, height uint32, depth, colours, interlace byte) []byte {
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(b, depth, colours, 0, 0, interlace)...))
}

// blankPNG is a PNG of nothing but zeros, which a few kilobytes hold.
func blankPNG(t testing.TB, width, height uint32, depth, colours, interlace byte, before ...[]byte) []byte {
	t.Helper()
	bits := uint32(depth) * map[byte]uint32{0: 1, 2: 3, 6: 4}[colours]
	size := func(w, h uint32) int {
		if w == 0 || h == 0 {
			return 0
		}
		return int(h * (1 + (w*bits+7)/8))
	}
	total := size(width, height)
	if interlace == 1 {
		total = 0
		for _, pass := range [7][4]uint32{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}} {
			total += size((width+pass[0]-1-pass[2])/pass[0], (height+pass[1]-1-pass[3])/pass[1])
		}
	}
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(make([]byte, total)); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return slices.Concat(ihdr(width, height, depth, colours, interlace), slices.Concat(before...), chunk("IDAT", b.Bytes()...), chunk("IEND"))
}

// crumbled has a PNG's pixels in chunks of a single byte.
func crumbled(file []byte) []byte {
	const header = 33
	length := binary.BigEndian.Uint32(file[header:])
	crumbs := bytes.Clone(file[:header])
	for _, b := range file[header+8 : header+8+length] {
		crumbs = append(crumbs, chunk("IDAT", b)...)
	}
	return append(crumbs, chunk("IEND")...)
}

// blankJPEG is a JPEG of one grey, with its frame's marker, its sampling factors by component, its restart interval, and the scans that it is to have.
func blankJPEG(width, height uint16, frame byte, sampling []byte, restart uint16, scans ...[]byte) []byte {
	b := []byte{0xff, 0xd8}
	b = append(b, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	one := func(class, symbol byte) []byte {
		return segment(0xc4, slices.Concat([]byte{class, 1}, make([]byte, 15), []byte{symbol})...)
	}
	b = append(b, one(0x00, 0x00)...) // a difference of nothing
	b = append(b, one(0x10, 0x00)...) // the end of a block
	if restart > 0 {
		b = append(b, segment(0xdd, byte(restart>>8), byte(restart))...)
	}
	header := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, height), width)
	header = append(header, byte(len(sampling)))
	for i, s := range sampling {
		header = append(header, byte(i+1), s, 0)
	}
	b = append(b, segment(frame, header...)...)
	for _, s := range scans {
		b = append(b, s...)
	}
	return append(b, 0xff, 0xd9)
}

// scan is a scan of all components, or of one, whose bits are all zeros.
func scan(components []byte, from, to byte, bits int, data ...byte) []byte {
	b := []byte{byte(len(components))}
	for _, c := range components {
		b = append(b, c, 0)
	}
	b = segment(0xda, append(b, from, to, 0)...)
	return append(append(b, data...), make([]byte, (bits+7)/8)...)
}

// restarts is n pieces of a scan with a restart marker between each two.
func restarts(n int) []byte {
	b := make([]byte, 0, 3*n)
	for i := range n {
		if i > 0 {
			b = append(b, 0xff, 0xd0+byte((i-1)%8))
		}
		b = append(b, 0)
	}
	return b
}

// riff is a WebP file of chunks.
func riff(chunks ...[]byte) []byte {
	all := slices.Concat(chunks...)
	return slices.Concat([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(all)+4)), []byte("WEBP"), all)
}

func riffChunk(kind string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, len(data)%2)...)
}

// greyVP8 is a key frame whose bits are all zeros: every block is predicted from nothing and left at that.
func greyVP8(width, height uint16) []byte {
	blocks := int((width+15)/16) * int((height+15)/16)
	first := 64 + 4*blocks
	tag := uint32(first)<<5 | 1<<4
	b := []byte{byte(tag), byte(tag >> 8), byte(tag >> 16), 0x9d, 0x01, 0x2a}
	b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, width), height)
	return append(b, make([]byte, first+16+8*blocks)...)
}

// manyFrames is a GIF of one colour that goes on and on.
func manyFrames(t testing.TB, width, height, frames int) []byte {
	t.Helper()
	blank := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{red, green})
	one := asGIF(t, blank)
	body := bytes.IndexByte(one[13+3*2:], 0x2c) + 13 + 3*2 // the first image behind the header and its two colours
	frame := one[body : len(one)-1]
	return slices.Concat(one[:body], bytes.Repeat(frame, frames), []byte{0x3b})
}
