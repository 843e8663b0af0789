package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/okr"
)

// spoilt is a body that must be refused, and the field that the refusal must name.
type spoilt struct {
	what    string
	body    []byte
	pointer string
}

// mark stands in a body for what is put there afterwards, which may be no JSON at all.
const mark = "put here what nobody would"

// spoiler makes spoilt bodies out of one that is in order, after the schema that the description has for it.
type spoiler struct {
	payload fields
	bodies  []spoilt
}

// put replaces the value at a path, or adds it.
func (s *spoiler) put(what string, path []any, raw string) {
	encoded, err := json.Marshal(replaced(s.payload, path, mark))
	if err != nil {
		panic(err)
	}
	pointer := pointerTo(path)
	s.bodies = append(s.bodies, spoilt{pointer + " " + what, bytes.ReplaceAll(encoded, []byte(`"`+mark+`"`), []byte(raw)), pointer})
}

func (s *spoiler) leaveOut(path []any) {
	encoded, err := json.Marshal(replaced(s.payload, path, nil))
	if err != nil {
		panic(err)
	}
	pointer := pointerTo(path)
	s.bodies = append(s.bodies, spoilt{pointer + " left out", encoded, pointer})
}

func pointerTo(path []any) string {
	var pointer strings.Builder
	for _, part := range path {
		_, _ = fmt.Fprintf(&pointer, "/%v", part)
	}
	return pointer.String()
}

// replaced is a copy of a tree in which the value at a path is another; nil takes it out.
func replaced(tree any, path []any, v any) any {
	if len(path) == 0 {
		return v
	}
	if list, ok := tree.([]fields); ok {
		out := make([]any, len(list))
		for i := range list {
			out[i] = list[i]
		}
		tree = out
	}
	switch t := tree.(type) {
	case fields:
		out := maps.Clone(t)
		out[path[0].(string)] = replaced(t[path[0].(string)], path[1:], v)
		if len(path) == 1 && v == nil {
			delete(out, path[0].(string))
		}
		return out
	case []any:
		out := slices.Clone(t)
		out[path[0].(int)] = replaced(t[path[0].(int)], path[1:], v)
		return out
	}
	panic(fmt.Sprintf("no %v in %v", path, tree))
}

// object spoils every field of an object.
func (s *spoiler) object(schema *openapi3.Schema, path []any, present fields) {
	s.put("unknown", append(slices.Clone(path), "zzz"), `"x"`)
	for name, ref := range schema.Properties {
		at := append(slices.Clone(path), name)
		if slices.Contains(schema.Required, name) {
			s.leaveOut(at)
		}
		s.field(ref.Value, at)
		if list, ok := present[name].([]fields); ok {
			for i, item := range list {
				s.object(ref.Value.Items.Value, append(slices.Clone(at), i), item)
			}
		}
		if one, ok := present[name].(fields); ok && len(ref.Value.Properties) > 0 && ref.Value.AdditionalProperties.Has != nil {
			s.object(ref.Value, at, one)
		}
	}
}

func (s *spoiler) field(schema *openapi3.Schema, at []any) {
	name := at[len(at)-1]
	for what, raw := range map[string]string{
		"null": `null`, "bool": `true`, "whole number": `7`, "fraction": `7.5`, "text": `"x"`, "list": `[]`, "object": `{}`,
	} {
		if !allows(schema, raw) {
			s.put(what, at, raw)
		}
	}
	for what, raw := range map[string]string{
		"huge": `1e400`, "hugely negative": `-1e400`, "tiny": `1e-400`, "twenty digits": `99999999999999999999`, "negative": `-1`,
		"escaped NUL": `"a\u0000b"`, "raw NUL": "\"a\x00b\"", "invalid UTF-8": "\"a\xffb\"", "overlong UTF-8": "\"a\xc0\x80b\"", "half a surrogate": `"\ud800"`, "surrogates swapped": `"\udc00\ud800"`,
		"twice": fmt.Sprintf(`null,%q:null`, name), "no JSON": `NaN`,
	} {
		s.put(what, at, raw)
	}
	if schema.MaxLength != nil {
		most := int(*schema.MaxLength)
		for what, text := range map[string]string{"Japanese": strings.Repeat("字", most+1), "emoji": strings.Repeat("🎯", most+1), "combining": strings.Repeat("か\u3099", most/2+1)} {
			s.put("too long in "+what, at, fmt.Sprintf("%q", text))
		}
	}
	if schema.MinLength > 0 {
		s.put("too short", at, fmt.Sprintf("%q", strings.Repeat("字", int(schema.MinLength)-1)))
	}
	if len(schema.Enum) > 0 || schema.Format != "" || schema.Pattern != "" {
		if schema.Pattern == "" || !regexp.MustCompile(schema.Pattern).MatchString("no-such-thing") {
			s.put("no choice", at, `"no-such-thing"`)
		}
		s.put("empty", at, `""`)
	}
	if schema.Format == "uuid" {
		for _, id := range strangeIDs {
			s.put("id "+id, at, fmt.Sprintf("%q", id))
		}
	}
	if schema.Format == "date" {
		for _, day := range []string{"2027-02-30", "2027-13-01", "2027-1-1", "2027-01-01T00:00:00Z", "27-01-01", "+2027-01-01", "99999-01-01"} {
			s.put("day "+day, at, fmt.Sprintf("%q", day))
		}
	}
	if schema.Format == "date-time" {
		for _, moment := range []string{"2027-02-30T09:00:00Z", "2027-13-01T09:00:00Z", "2027-01-01", "2027-01-01T09:00:00", "2027-01-01 09:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T09:00:00+25:00", "99999-01-01T09:00:00Z"} {
			s.put("moment "+moment, at, fmt.Sprintf("%q", moment))
		}
	}
	if schema.MaxItems != nil {
		s.put("too many", at, "["+strings.Repeat("{},", int(*schema.MaxItems))+"{}]")
	}
	if schema.Max != nil {
		s.put("over the limit", at, fmt.Sprint(*schema.Max+1))
	}
}

// strangeIDs are what uuid.Parse takes, or nearly takes, for a UUID.
var strangeIDs = []string{
	"{0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77}", "urn:uuid:0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77", "0193f0a17c1e7d3a9f100c5b3f1f2a77",
	"0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a7", "0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a777", "0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a7g", "0193f0a1_7c1e_7d3a_9f10_0c5b3f1f2a77",
	"' OR 1=1 --", "０１９３f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77",
}

// allows reports whether a value of this kind can be right for a schema.
func allows(schema *openapi3.Schema, raw string) bool {
	switch raw {
	case `null`:
		return schema.Nullable
	case `true`:
		return schema.Type.Is("boolean")
	case `7`:
		return schema.Type.Is("integer")
	case `"x"`:
		return schema.Type.Is("string") && schema.Format == "" && (schema.Pattern == "" || regexp.MustCompile(schema.Pattern).MatchString("x")) && len(schema.Enum) == 0 && schema.MinLength <= 1
	case `[]`:
		return schema.Type.Is("array")
	case `{}`:
		return schema.Type.Is("object")
	}
	return false
}

// wholes are bodies that are wrong from the outside.
func wholes(payload fields) map[string]string {
	whole, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	deep := 10_000
	return map[string]string{
		"empty": "", "null": "null", "list": "[]", "text": `"x"`, "number": "7", "blank": " \n", "byte-order mark": "\ufeff" + string(whole),
		"cut off": string(whole[:len(whole)-1]), "half": string(whole[:len(whole)/2]), "two values": string(whole) + string(whole), "rubbish behind": string(whole) + "x",
		"comment": "/* */" + string(whole), "NULs": "\x00\x00\x00", "UTF-16": "\xff\xfe{\x00}\x00", "form": "title=x&cycle_id=y",
		"deep lists": strings.Repeat("[", deep) + strings.Repeat("]", deep), "deep objects": strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep),
		"deep and unfinished": strings.Repeat(`{"a":[`, deep),
		"deep in a field":     `{"zzz":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "}",
	}
}

func TestSpoiltBodiesAreRefusedByName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []call
	for _, name := range names(func(o operation) bool { return o.body() != nil }) {
		if c := b.call(name, okr.VisibleToOrganization); c.file == nil { // a file is refused row by row, in its own tests
			all = append(all, c)
		}
	}
	before := b.content()
	t.Run("operations", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.spec.OperationID, func(t *testing.T) {
				t.Parallel()
				s := &spoiler{payload: c.payload}
				s.object(c.body(), nil, c.payload)
				for _, body := range s.bodies {
					assertNamed(t, c.by.send(c.method, c.url(), body.body), body.what, body.pointer)
				}
				for what, body := range wholes(c.payload) {
					a := c.by.send(c.method, c.url(), body)
					assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.status, "%s: %s: %s", a.what, what, a.body)
					assert.NotEmpty(t, a.problem().fields(), "%s: %s", a.what, what)
				}
				for what, size := range map[string]int{"a byte too much": c.maxBody() + 1, "9 MiB too much": c.maxBody() + 9<<20} {
					a := c.by.send(c.method, c.url(), bytes.Repeat([]byte(" "), size))
					assert.Equal(t, http.StatusRequestEntityTooLarge, a.status, "%s: %s", a.what, what)
					assert.Equal(t, "too-large", a.problem().Type)
				}
				assert.Greater(t, len(s.bodies), 20)
			})
		}
	})
	assert.Equal(t, before, b.content(), "what is refused changes nothing")
}

func assertNamed(t *testing.T, a answer, what, pointer string) {
	t.Helper()
	if assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.status, "%s: %s: %s", a.what, what, a.body) {
		assert.Contains(t, a.problem().pointers(), pointer, "%s: %s: %s", a.what, what, a.body)
	}
}

func TestNestingHasAnEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for levels, code := range map[int]string{30: "unknown-field", 40: "too-deep"} {
		a := b.admin.send(http.MethodPost, "/teams", `{"name":"題","zzz":`+strings.Repeat("[", levels)+strings.Repeat("]", levels)+"}")
		codes := []string{}
		for _, e := range a.problem().fields() {
			codes = append(codes, e.Code)
		}
		assert.Equal(t, []string{code}, codes, "%d levels: %s", levels, a.body)
	}
}

func TestTextIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, character := range []string{"a", "字", "🎯", "\u3099", "'"} {
		o := b.author.draft(fields{"title": strings.Repeat(character, 300), "description": strings.Repeat(character, 10_000), "key_results": []fields{
			{"title": strings.Repeat(character, 300), "description": strings.Repeat(character, 10_000), "unit": strings.Repeat(character, 40), "kind": "metric", "baseline": "0", "target": "1"},
		}})
		read := get[fields](b.viewer, objective(o.ID))
		assert.Equal(t, strings.Repeat(character, 300), read["title"])
		assert.Equal(t, strings.Repeat(character, 10_000), read["description"])
	}
}

func TestNumbersKeepEveryDigit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"key_results": []fields{with(with(metric("NPS"), "baseline", "-999999999999999.999999"), "target", "999999999999999.999999")}})
	k := o.KeyResults[0]
	assert.Equal(t, "-999999999999999.999999", k.Baseline.String())
	assert.Equal(t, "999999999999999.999999", k.Target.String())
	for _, sent := range []string{"0.000001", "-0", "123456789012345.678901", "000000000000007.5"} {
		b.author.send(http.MethodPost, checkIns(k.ID), fields{"value": sent, "confidence": 5}).is(http.StatusCreated)
	}
	for _, sent := range []string{"1234567890123456", "0.0000001", "1e5", "１", "٣", "+1", ".5", "1.", "0x10", "Infinity", "1_000", " 1"} {
		assertNamed(t, b.author.send(http.MethodPost, checkIns(k.ID), fields{"value": sent, "confidence": 5}), sent, "/value")
	}
}

func TestACompressedBodyIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, err := w.Write(bytes.Repeat([]byte(" "), 64<<20)) // 64 kB on the line
	require.NoError(t, err)
	require.NoError(t, w.Close())
	a := b.admin.send(http.MethodPost, "/teams", compressed.Bytes(), header{"Content-Encoding", "gzip"})
	a.refused(http.StatusBadRequest, "bad-request", "/header/Content-Encoding")
}
