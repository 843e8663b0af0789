package icon_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/kakeai/kakeai/internal/icon"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func iconOf(t *testing.T, content []byte) (icon.Icon, image.Image) {
	t.Helper()
	made, err := icon.NewMaker().Make(t.Context(), "", content)
	if err != nil {
		t.Fatal(err)
	}
	p, format, err := image.Decode(bytes.NewReader(made.Content))
	if err != nil {
		t.Fatal(err)
	}
	if p.Bounds() != image.Rect(0, 0, icon.Size, icon.Size) || "image/"+format != made.ContentType || len(made.Content) > 512<<10 {
		t.Fatalf("%s, %v, %d bytes", made.ContentType, p.Bounds(), len(made.Content))
	}
	return made, p
}

func refused(t *testing.T, what string, content []byte, code string) {
	t.Helper()
	_, err := icon.NewMaker().Make(t.Context(), "", content)
	var r *icon.RefusedError
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("%s: %v, want a refusal %s", what, err, code)
	}
}

// near allows what a lossy encoder does to a colour.
func near(a, b color.Color) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	for _, d := range [4]int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
		if max(d, -d) > 48<<8 {
			return false
		}
	}
	return true
}

func hasQuarters(t *testing.T, what string, p image.Image, want [4]color.RGBA) {
	t.Helper()
	at := [4]image.Point{{60, 60}, {195, 60}, {60, 195}, {195, 195}}
	for i, c := range want {
		if got := p.At(at[i].X, at[i].Y); !near(got, c) {
			t.Errorf("%s: at %v: %v, want %v", what, at[i], got, c)
		}
	}
}

func TestEveryFormatBecomesASquare(t *testing.T) {
	t.Parallel()
	colours := [4]color.RGBA{red, green, blue, yellow}
	for name, size := range map[string]image.Point{"small": {20, 20}, "as it is": {256, 256}, "wide": {1000, 300}, "tall": {300, 1111}, "large": {2000, 1501}} {
		p := quarters(size.X, size.Y, colours)
		for format, file := range map[string][]byte{"PNG": asPNG(t, p), "JPEG": asJPEG(t, p), "GIF": asGIF(t, p)} {
			_, made := iconOf(t, file)
			hasQuarters(t, name+" "+format, made, colours)
		}
	}
	_, made := iconOf(t, riff(riffChunk("VP8 ", greyVP8(100, 70))))
	hasQuarters(t, "WebP", made, [4]color.RGBA{{129, 129, 129, 255}, {129, 129, 129, 255}, {129, 129, 129, 255}, {129, 129, 129, 255}})
	for name, file := range map[string][]byte{
		"one pixel": asPNG(t, quarters(1, 1, colours)), "one row": asPNG(t, quarters(4096, 1, colours)), "one column": asJPEG(t, quarters(1, 4096, colours)),
		"grey": blankPNG(t, 300, 300, 8, 0, 0), "16 bits": blankPNG(t, 600, 600, 16, 6, 0), "interlaced": blankPNG(t, 601, 599, 8, 2, 1),
		"progressive": blankJPEG(500, 400, 0xc2, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 0, 6*32*25)),
		"CMYK":        blankJPEG(64, 64, 0xc0, []byte{0x11, 0x11, 0x11, 0x11}, 0, segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...), scan([]byte{1, 2, 3, 4}, 0, 63, 4*2*64)),
		"restarts":    blankJPEG(64, 64, 0xc0, []byte{0x11}, 1, scan([]byte{1}, 0, 63, 0, restarts(64)...)),
	} {
		t.Run(name, func(t *testing.T) { iconOf(t, file) })
	}
}

// Nothing but the looks of the original is left.
func TestWhatStandsBesideThePixelsIsDropped(t *testing.T) {
	t.Parallel()
	secret := "35.6586N 139.7454E <script>"
	p := quarters(300, 300, [4]color.RGBA{red, green, blue, yellow})
	file := asJPEG(t, p)
	for name, file := range map[string][]byte{
		"JPEG's comment": slices.Concat(file[:2], segment(0xfe, []byte(secret)...), file[2:]),
		"EXIF":           withEXIF(file, append(tiff(binary.LittleEndian, 1), secret...)),
		"behind a JPEG":  append(file, secret...),
		"PNG's text":     blankPNG(t, 300, 300, 8, 2, 0, chunk("tEXt", []byte("Comment\x00"+secret)...)),
		"behind a PNG":   append(asPNG(t, p), secret...),
	} {
		made, _ := iconOf(t, file)
		if bytes.Contains(made.Content, []byte(secret)) || bytes.Contains(made.Content, []byte("Exif")) {
			t.Errorf("%s is still there", name)
		}
	}
}

// sides are where the first row and the first column of a file are on the picture, by its orientation (EXIF 2.32, tag 274).
var sides = [9][2]string{1: {"top", "left"}, 2: {"top", "right"}, 3: {"bottom", "right"}, 4: {"bottom", "left"}, 5: {"left", "top"}, 6: {"right", "top"}, 7: {"right", "bottom"}, 8: {"left", "bottom"}}

// stored is a picture as a camera would store it that was held so.
func stored(orientation int, upright [4]color.RGBA) (file [4]color.RGBA) {
	opposite := map[string]string{"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
	for i := range file {
		row, column := sides[orientation][0], sides[orientation][1]
		if i >= 2 {
			row = opposite[row]
		}
		if i%2 == 1 {
			column = opposite[column]
		}
		corner := 0
		if row == "bottom" || column == "bottom" {
			corner += 2
		}
		if row == "right" || column == "right" {
			corner++
		}
		file[i] = upright[corner]
	}
	return file
}

func TestPicturesStandUpright(t *testing.T) {
	t.Parallel()
	want := [4]color.RGBA{red, green, blue, yellow}
	for orientation := 1; orientation <= 8; orientation++ {
		p := quarters(640, 480, stored(orientation, want))
		for name, file := range map[string][]byte{
			"little-endian": withEXIF(asJPEG(t, p), tiff(binary.LittleEndian, uint16(orientation))),
			"big-endian":    withEXIF(asJPEG(t, p), tiff(binary.BigEndian, uint16(orientation))),
		} {
			_, made := iconOf(t, file)
			hasQuarters(t, name+" "+sides[orientation][0]+" "+sides[orientation][1], made, want)
		}
		file := asPNG(t, p)
		_, made := iconOf(t, slices.Concat(file[:33], chunk("eXIf", tiff(binary.BigEndian, uint16(orientation))...), file[33:]))
		hasQuarters(t, "PNG "+sides[orientation][0]+" "+sides[orientation][1], made, want)
	}
}

func TestAnOrientationThatIsNoneIsPassedOver(t *testing.T) {
	t.Parallel()
	want := [4]color.RGBA{red, green, blue, yellow}
	file := asJPEG(t, quarters(300, 300, want))
	sound := tiff(binary.LittleEndian, 6)
	for name, exif := range map[string][]byte{
		"nothing": {}, "cut off": sound[:20], "another order": append([]byte("XX*\x00"), sound[4:]...), "9": tiff(binary.LittleEndian, 9), "0": tiff(binary.LittleEndian, 0),
		"directory beyond the end": slices.Concat(sound[:4], []byte{0xff, 0xff, 0xff, 0xff}, sound[8:]), "directory over the header": slices.Concat(sound[:4], []byte{0, 0, 0, 0}, sound[8:]),
		"more entries than there are": slices.Concat(sound[:8], []byte{0xff, 0xff}, sound[10:20]), "another type": slices.Concat(sound[:24], []byte{4, 0}, sound[26:]),
	} {
		_, made := iconOf(t, withEXIF(file, exif))
		hasQuarters(t, name, made, want)
	}
}

func TestTransparencyStays(t *testing.T) {
	t.Parallel()
	half := color.RGBA{R: 100, A: 128}
	made, p := iconOf(t, asPNG(t, quarters(700, 700, [4]color.RGBA{red, half, {}, yellow})))
	if made.ContentType != "image/png" {
		t.Errorf("%s cannot be transparent", made.ContentType)
	}
	hasQuarters(t, "transparent", p, [4]color.RGBA{red, half, {}, yellow})
}

// The whole of random colours cannot be compressed, and still fits.
func TestTheWorstStillFits(t *testing.T) {
	t.Parallel()
	p := image.NewNRGBA(image.Rect(0, 0, icon.Size, icon.Size))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range p.Pix {
		p.Pix[i] = byte(random.Uint32())
	}
	made, _ := iconOf(t, asPNG(t, p))
	t.Logf("%d bytes", len(made.Content))
}

func TestTheFormThatTakesLessIsChosen(t *testing.T) {
	t.Parallel()
	drawing, _ := iconOf(t, asJPEG(t, quarters(256, 256, [4]color.RGBA{blue, blue, blue, blue})))
	if drawing.ContentType != "image/png" {
		t.Errorf("one colour as %s", drawing.ContentType)
	}
	p := image.NewRGBA(image.Rect(0, 0, icon.Size, icon.Size))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range p.Pix {
		p.Pix[i] = byte(random.Uint32()) | 0xff*byte(i%4/3)
	}
	if noise, _ := iconOf(t, asPNG(t, p)); noise.ContentType != "image/jpeg" {
		t.Errorf("noise as %s", noise.ContentType)
	}
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	t.Parallel()
	whole := quarters(300, 300, [4]color.RGBA{red, green, blue, yellow})
	pngFile, jpegFile, gifFile := asPNG(t, whole), asJPEG(t, whole), asGIF(t, whole)
	refused(t, "nothing", nil, "not-a-picture")
	refused(t, "text", []byte("hello"), "not-a-picture")
	refused(t, "SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "not-a-picture")
	refused(t, "HTML", []byte("<!doctype html><img src=x>"), "not-a-picture")
	refused(t, "ICO", []byte("\x00\x00\x01\x00\x01\x00\x10\x10"), "not-a-picture")
	refused(t, "BMP", []byte("BM\x00\x00\x00\x00"), "not-a-picture")
	refused(t, "TIFF", tiff(binary.LittleEndian, 1), "not-a-picture")
	refused(t, "over 5 MiB", append(bytes.Clone(pngFile), make([]byte, icon.MaxBytes)...), "too-large")
	for name, file := range map[string][]byte{"PNG": pngFile, "JPEG": jpegFile, "GIF": gifFile, "WebP": riff(riffChunk("VP8 ", greyVP8(100, 100)))} {
		for _, n := range []int{12, 20, len(file) / 2, len(file) - 12} {
			if name != "GIF" || n < len(file)-12 { // behind the last pixel
				refused(t, name+" cut off", file[:n], "unreadable")
			}
		}
	}
	refused(t, "no pixels", ihdr(0, 10, 8, 2, 0), "unreadable")
	refused(t, "a frame twice", blankJPEG(8, 8, 0xc0, []byte{0x11}, 0, segment(0xc0, 8, 16, 0, 16, 0, 1, 1, 0x11, 0), scan([]byte{1}, 0, 63, 2)), "unreadable")
	refused(t, "lossless WebP", riff(riffChunk("VP8L", []byte{0x2f, 0, 0, 0, 0})), "webp-kind")
	refused(t, "animated WebP", riff(riffChunk("ANIM", make([]byte, 6))), "webp-kind")
	refused(t, "WebP twice", riff(riffChunk("VP8 ", greyVP8(16, 16)), riffChunk("VP8 ", greyVP8(4000, 4000))), "unreadable")
	refused(t, "WebP that says otherwise", riff(riffChunk("VP8X", make([]byte, 10)), riffChunk("VP8 ", greyVP8(400, 400))), "unreadable")
}

func TestADeclaredTypeThatLiesIsRefused(t *testing.T) {
	t.Parallel()
	m := icon.NewMaker()
	file := asPNG(t, quarters(10, 10, [4]color.RGBA{}))
	if _, err := m.Make(t.Context(), "image/png", file); err != nil {
		t.Fatal(err)
	}
	for _, declared := range []string{"image/jpeg", "image/svg+xml", "text/html"} {
		_, err := m.Make(t.Context(), declared, file)
		var r *icon.RefusedError
		if !errors.As(err, &r) || r.Code != "type-differs" {
			t.Errorf("%s: %v", declared, err)
		}
	}
}

// Size is judged before memory is taken.
func TestSizeIsReadFromTheHeader(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"PNG":                   ihdr(60_000, 60_000, 8, 2, 0),
		"PNG of 2³² − 1":        ihdr(1<<32-1, 1<<32-1, 16, 6, 0),
		"PNG, one too wide":     ihdr(4097, 1, 8, 2, 0),
		"PNG of 64 MiB":         ihdr(4096, 4096, 8, 6, 0),
		"PNG of 16 bits":        ihdr(2300, 2300, 16, 6, 0),
		"PNG, interlaced":       ihdr(2500, 2500, 8, 6, 1),
		"JPEG":                  blankJPEG(65_535, 65_535, 0xc0, []byte{0x11}, 0, scan([]byte{1}, 0, 63, 8)),
		"JPEG, progressive":     blankJPEG(4096, 4096, 0xc2, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1}, 0, 0, 8)),
		"JPEG, CMYK":            blankJPEG(3000, 3000, 0xc0, []byte{0x11, 0x11, 0x11, 0x11}, 0, scan([]byte{1}, 0, 63, 8)),
		"JPEG, sampled by four": blankJPEG(4096, 4096, 0xc0, []byte{0x44, 0x44, 0x44}, 0, scan([]byte{1}, 0, 63, 8)),
		"GIF":                   []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"),
		"WebP":                  riff(riffChunk("VP8 ", greyVP8(16_383, 16_383)[:100])),
	} {
		if strings.HasPrefix(name, "PNG") {
			file = append(file, chunk("IEND")...)
		}
		refused(t, name, file, "too-many-pixels")
	}
	refused(t, "too many chunks", blankPNG(t, 10, 10, 8, 2, 0, slices.Repeat([][]byte{chunk("tEXt")}, 1000)...), "too-many-chunks")
	refused(t, "too many scans", blankJPEG(4096, 4096, 0xc2, []byte{0x11}, 0, slices.Repeat([][]byte{scan([]byte{1}, 0, 0, 8)}, 10_000)...), "too-many-scans")
}

// As large as is taken, so that the limits keep no photograph or screen out.
func TestWhatPeopleHaveIsTaken(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"a screen of 3840 × 2160": blankPNG(t, 3840, 2160, 8, 2, 0),
		"a photograph of 16 Mi":   blankJPEG(4096, 4096, 0xc0, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 63, 2*6*256*256)),
		"a progressive one":       blankJPEG(2400, 1800, 0xc2, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 0, 6*150*113)),
	} {
		t.Run(name, func(t *testing.T) { iconOf(t, file) })
	}
}

// bombs are small files that ask for much.
func bombs(t *testing.T) map[string][]byte {
	t.Helper()
	acs := func(scans int) (all [][]byte) {
		all = append(all, scan([]byte{1}, 0, 0, 250*250))
		for range scans - 1 {
			all = append(all, scan([]byte{1}, 1, 63, 250*250))
		}
		return all
	}
	return map[string][]byte{
		"as many pixels as PNG may have": blankPNG(t, 2880, 2880, 8, 6, 0),
		"more than PNG may have":         blankPNG(t, 4096, 4096, 8, 6, 0),
		"16 bits":                        blankPNG(t, 2000, 2000, 16, 6, 0),
		"interlaced":                     blankPNG(t, 2000, 2000, 8, 2, 1),
		"a giant chunk":                  blankPNG(t, 2880, 2880, 8, 6, 0, chunk("zTXt", make([]byte, 4<<20)...)),
		"many chunks":                    blankPNG(t, 2880, 2880, 8, 6, 0, slices.Repeat([][]byte{chunk("tEXt")}, 190)...),
		"more chunks than are taken":     blankPNG(t, 2880, 2880, 8, 6, 0, slices.Repeat([][]byte{chunk("tEXt")}, 300_000)...),
		"pixels in crumbs":               crumbled(blankPNG(t, 2880, 2880, 8, 6, 0)),
		"many frames":                    manyFrames(t, 2000, 2000, 200),
		"a large frame":                  manyFrames(t, 4096, 4096, 1),
		"restarts":                       blankJPEG(4096, 4096, 0xc0, []byte{0x11}, 1, scan([]byte{1}, 0, 63, 0, restarts(512*512)...)),
		"many scans":                     blankJPEG(2000, 2000, 0xc2, []byte{0x11}, 0, acs(64)...),
		"more scans than are taken":      blankJPEG(2000, 2000, 0xc2, []byte{0x11}, 0, acs(100)...),
		"16 Mi of JPEG":                  blankJPEG(4096, 4096, 0xc0, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 63, 2*6*256*256)),
		"JPEG cut off":                   blankJPEG(4096, 4096, 0xc0, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 63, 64)),
		"PNG cut off":                    blankPNG(t, 2880, 2880, 8, 6, 0)[:2000],
		"WebP":                           riff(riffChunk("VP8 ", greyVP8(3600, 3600))),
		"lossless WebP":                  riff(riffChunk("VP8L", slices.Concat([]byte{0x2f, 0xff, 0xff, 0xff, 0x0f}, make([]byte, 1000)))),
	}
}

// Not parallel: what it measures is the process's.
func TestSixtyFourBombsAtOnceTakeLittleMemory(t *testing.T) {
	atOnce := 64
	if raceDetector {
		atOnce = 8
	}
	var files [][]byte
	for name, file := range bombs(t) {
		if len(file) > icon.MaxBytes {
			t.Fatalf("%s has %d bytes", name, len(file))
		}
		files = append(files, file)
	}
	objects := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	inUse := func() uint64 {
		metrics.Read(objects)
		return objects[0].Value.Uint64()
	}
	m := icon.NewMaker()
	runtime.GC()
	before := inUse()
	most := before
	done, measured := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(measured)
		for {
			select {
			case <-done:
				return
			default:
				most = max(most, inUse())
				runtime.Gosched()
			}
		}
	}()
	var all sync.WaitGroup
	made := make(chan bool, atOnce)
	for i := range atOnce {
		all.Go(func() {
			_, err := m.Make(t.Context(), "", files[i%len(files)])
			var r *icon.RefusedError
			if err != nil && !errors.As(err, &r) {
				t.Error(err)
			}
			made <- err == nil
		})
	}
	all.Wait()
	close(done)
	<-measured
	decoded := 0
	for range atOnce {
		if <-made {
			decoded++
		}
	}
	t.Logf("%d of %d decoded, %.1f MiB at most beyond the %.1f that were in use", decoded, atOnce, float64(most-before)/(1<<20), float64(before)/(1<<20))
	if !raceDetector && decoded < 30 {
		t.Error("most were refused, so this says little")
	}
	if most-before > 64<<20 {
		t.Errorf("%d MiB", (most-before)>>20)
	}
}

// What each bomb alone takes is what was reckoned for it, or less.
func TestMemoryIsReckonedBeforehand(t *testing.T) {
	if raceDetector {
		t.Skip("one goroutine, and millions of pixels")
	}
	for name, file := range bombs(t) {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := icon.NewMaker().Make(t.Context(), "", file)
		runtime.ReadMemStats(&after)
		took := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %.1f MiB, %v", name, float64(took)/(1<<20), err)
		if took > 40<<20 {
			t.Errorf("%s: %d MiB", name, took>>20)
		}
	}
}

func TestWaitingAndDecodingEndWithTheContext(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := icon.NewMaker().Make(ended, "", asPNG(t, quarters(300, 300, [4]color.RGBA{}))); !errors.Is(err, icon.ErrBusy) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzMake(f *testing.F) {
	p := quarters(40, 30, [4]color.RGBA{red, green, blue, yellow})
	f.Add(asPNG(f, p))
	f.Add(withEXIF(asJPEG(f, p), tiff(binary.LittleEndian, 6)))
	f.Add(asGIF(f, p))
	f.Add(manyFrames(f, 30, 30, 3))
	f.Add(riff(riffChunk("VP8 ", greyVP8(40, 30))))
	f.Add(blankPNG(f, 33, 17, 16, 6, 1))
	f.Add(blankJPEG(40, 40, 0xc2, []byte{0x22, 0x11, 0x11}, 0, scan([]byte{1, 2, 3}, 0, 0, 6*9)))
	f.Add(blankJPEG(16, 16, 0xc0, []byte{0x11, 0x11, 0x11, 0x11}, 1, scan([]byte{1, 2, 3, 4}, 0, 63, 0, restarts(4)...)))
	m := icon.NewMaker()
	f.Fuzz(func(t *testing.T, content []byte) {
		made, err := m.Make(t.Context(), "", content)
		var r *icon.RefusedError
		if err != nil {
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			return
		}
		again, err := m.Make(t.Context(), made.ContentType, made.Content)
		if err != nil || len(again.Content) > 512<<10 {
			t.Fatalf("what was made cannot be read: %v", err)
		}
	})
}
