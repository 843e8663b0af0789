package mail

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What becomes of each kind of character, said outright, so that a rule that is gone is not taken for one that agrees with itself.
func TestTextsAreCleanedCharacterByCharacter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\r\nb": "a\nb", "a\rb": "a\nb", "a\nb": "a\nb", "a\u2028b": "a\nb", "a\u2029b": "a\nb", "a\u0085b": "a\nb", "a\tb": "a\tb",
		"a\x00b": "ab", "a\x1bb": "ab", "a\x7fb": "ab", "a\u009bb": "ab",
		"a\u202eb": "ab", "a\u2066b\u2069": "ab", "a\u200fb": "ab", "a\u061cb": "ab",
		"\ufeffa": "a", "a\xffb": "a\ufffdb", "👩\u200d👧": "👩\u200d👧", "a\u00a0b": "a\u00a0b",
	} {
		assert.Equal(t, want, clean(text), "%q", text)
	}
	for text, want := range map[string]string{" a \r\n\r\n b ": "a b", "a\rBcc: b": "a Bcc: b", "a\u2028b\u0085c": "a b c", "\t": ""} {
		assert.Equal(t, want, oneLine(text), "%q", text)
	}
}

// How each kind of text stands in a header: as it is only where nothing in it can be taken for anything else.
func TestTextsInHeadersAreWrittenOut(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Aoi Sato": "Aoi Sato\r\n <a@example.com>", "": "<a@example.com>", " \r\n ": "<a@example.com>",
		"Sato, Aoi": "=?utf-8?b?U2F0bywgQW9p?=\r\n <a@example.com>", `"Aoi"`: "=?utf-8?b?IkFvaSI=?=\r\n <a@example.com>", "Aoi <eve@example.net>": "=?utf-8?b?QW9pIDxldmVAZXhhbXBsZS5uZXQ+?=\r\n <a@example.com>",
		"葵": "=?utf-8?b?6JG1?=\r\n <a@example.com>", "a\r\nBcc: b": "=?utf-8?b?YSBCY2M6IGI=?=\r\n <a@example.com>",
	} {
		assert.Equal(t, want, header(name, "a@example.com"), "%q", name)
	}
	for text, want := range map[string]string{
		"Review: first to answer": "Review: first to answer", "=?utf-8?b?QQ==?=": "=?utf-8?b?PT91dGYtOD9iP1FRPT0/PQ==?=", "葵": "=?utf-8?b?6JG1?=",
	} {
		assert.Equal(t, want, words(text), "%q", text)
	}
	for line := range strings.SplitSeq(fold(strings.Repeat("word ", 40)), "\r\n") {
		assert.LessOrEqual(t, len(line), lineBytes+1)
	}
	for line := range strings.SplitSeq(fold(strings.Repeat("x", 500)), "\r\n") {
		assert.LessOrEqual(t, len(line), 78)
	}
	require.ErrorIs(t, checkAddress("a@b@c.example"), errAddress)
	require.ErrorIs(t, checkAddress("a\u00adb\u202e@c.example"), errAddress)
	require.ErrorIs(t, checkAddress(strings.Repeat("a", 243)+"@example.com"), errAddress)
	require.NoError(t, checkAddress(strings.Repeat("a", 60)+"@example.com"))
}
