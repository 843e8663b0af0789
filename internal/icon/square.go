package icon

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

const jpegQuality = 90

// square cuts the middle out of a picture of width × height pixels and scales it to Size. What the picture leaves open, such as a GIF whose frame is smaller
// than its screen, is transparent.
func square(original image.Image, width, height int) *image.RGBA {
	scaled := image.NewRGBA(image.Rect(0, 0, Size, Size))
	from := reduced(original, width, height)
	draw.CatmullRom.Scale(scaled, scaled.Rect, from, from.Rect, draw.Src, nil)
	return scaled
}

// reduced is the middle of a picture, shrunk by a whole factor to less than twice Size by averaging. The scaler alone would need 32 bytes for each of the
// original's rows and the icon's columns, and the average is the right answer for most of the way.
func reduced(original image.Image, width, height int) *image.RGBA {
	factor := max(1, min(width, height)/Size)
	side := min(width, height) / factor
	left, top := (width-side*factor)/2, (height-side*factor)/2
	small := image.NewRGBA(image.Rect(0, 0, side, side))
	if factor == 1 {
		draw.Draw(small, small.Rect, original, image.Pt(left, top), draw.Src)
		return small
	}
	rows := image.NewRGBA(image.Rect(0, 0, side*factor, factor))
	for y := range side {
		clear(rows.Pix)
		draw.Draw(rows, rows.Rect, original, image.Pt(left, top+y*factor), draw.Src)
		average(small.Pix[y*small.Stride:][:4*side], rows, factor)
	}
	return small
}

// average makes one row of pixels out of factor rows with factor times as many. The colours are multiplied with their opacity already, so that what
// cannot be seen does not count.
func average(row []byte, rows *image.RGBA, factor int) {
	area := factor * factor
	for i := range row {
		sum, channel := area/2, i%4
		for y := range factor {
			at := y*rows.Stride + (i/4)*factor*4 + channel
			for x := range factor {
				sum += int(rows.Pix[at+4*x])
			}
		}
		row[i] = byte(sum / area) //nolint:gosec // an average of bytes is one
	}
}

// encode writes a picture in the form that takes less: PNG for drawings and for what is transparent somewhere, JPEG for photographs.
func encode(p *image.RGBA) (Icon, error) {
	var asPNG bytes.Buffer
	if err := png.Encode(&asPNG, p); err != nil {
		return Icon{}, err
	}
	made := Icon{Content: asPNG.Bytes(), ContentType: typePNG}
	if p.Opaque() {
		var asJPEG bytes.Buffer
		if err := jpeg.Encode(&asJPEG, p, &jpeg.Options{Quality: jpegQuality}); err != nil {
			return Icon{}, err
		}
		if asJPEG.Len() < asPNG.Len() {
			made = Icon{Content: asJPEG.Bytes(), ContentType: typeJPEG}
		}
	}
	made.Hash = sha256.Sum256(made.Content)
	return made, nil
}
