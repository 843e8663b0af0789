package icon

import (
	"encoding/binary"
	"image"
)

const (
	tagOrientation = 0x0112
	typeShort      = 3
)

// orientationOf reads which way up a picture is from EXIF's TIFF structure: 1 to 8, and 0 if it does not say. Nothing else of EXIF is looked at.
func orientationOf(tiff []byte) int {
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0
	}
	at := int64(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= 12; n-- {
		if order.Uint16(entries) == tagOrientation {
			value := int(order.Uint16(entries[8:]))
			if order.Uint16(entries[2:]) != typeShort || order.Uint32(entries[4:]) != 1 || value < 1 || value > 8 {
				return 0
			}
			return value
		}
		entries = entries[12:]
	}
	return 0
}

// upright turns a square the way up that its orientation says.
func upright(p *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return p
	}
	last := p.Rect.Dx() - 1
	turned := image.NewRGBA(p.Rect)
	for y := range last + 1 {
		for x := range last + 1 {
			fromX, fromY := x, y
			switch orientation {
			case 2:
				fromX = last - x
			case 3:
				fromX, fromY = last-x, last-y
			case 4:
				fromY = last - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, last-x
			case 7:
				fromX, fromY = last-y, last-x
			case 8:
				fromX, fromY = last-y, x
			}
			copy(turned.Pix[turned.PixOffset(x, y):][:4], p.Pix[p.PixOffset(fromX, fromY):])
		}
	}
	return turned
}
