package exchange

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// formulaStarts are the characters at which a spreadsheet takes a cell for a formula, or jumps to another cell. The wide ones are what Japanese spreadsheets take for the narrow.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// Neutral is a cell as it is written, so that no spreadsheet computes it: an apostrophe before what it would take for a formula, and before what Plain would else take
// for such a cell. Plain numbers are as they are.
func Neutral(cell string) string {
	bare := strings.TrimLeft(cell, "'")
	if bare == "" || !strings.ContainsRune(formulaStarts, []rune(bare)[0]) || bare == cell && plainNumber(cell) {
		return cell
	}
	return "'" + cell
}

// Plain is what a cell said before Neutral.
func Plain(cell string) string {
	bare := strings.TrimLeft(cell, "'")
	if bare == cell || bare == "" || !strings.ContainsRune(formulaStarts, []rune(bare)[0]) {
		return cell
	}
	return cell[1:]
}

func plainNumber(s string) bool {
	digits := false
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits = true
		case r == '.':
		case i == 0 && (r == '-' || r == '+'):
		default:
			return false
		}
	}
	return digits && strings.Count(s, ".") <= 1
}

// ToShiftJIS is text in Shift_JIS; a character that it does not have becomes a question mark.
func ToShiftJIS(text []byte) ([]byte, error) {
	b, err := encoding.ReplaceUnsupported(japanese.ShiftJIS.NewEncoder()).Bytes(text)
	for i, c := range b {
		if c == encoding.ASCIISub {
			b[i] = '?'
		}
	}
	return b, err
}
