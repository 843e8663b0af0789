package ai

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

func TestCheckAnswer(t *testing.T) {
	t.Parallel()
	metricID, milestoneID, stepID := uuid.New(), uuid.New(), uuid.New()
	one := decimal.NewFromInt(1)
	objective := Objective{KeyResults: []KeyResult{
		{ID: metricID, Title: "Churn", Kind: "metric", Baseline: number("5"), Target: number("3"), Weight: one},
		{ID: milestoneID, Title: "Launch", Kind: "milestone", Steps: []Step{{ID: stepID, Title: "Design", Weight: one}}},
	}}
	metric := func(change func(*KeyResult)) *Proposal {
		k := KeyResult{Title: "Churn", Kind: "metric", Unit: "%", Baseline: number("5"), Target: number("3"), Weight: one}
		change(&k)
		return &Proposal{KeyResults: []KeyResult{k}}
	}
	milestone := func(steps ...Step) *Proposal {
		return &Proposal{KeyResults: []KeyResult{{ID: milestoneID, Title: "Launch", Kind: "milestone", Steps: steps, Weight: one}}}
	}
	text := func(text string) *string { return &text }
	many := func(n int) *Proposal {
		p := &Proposal{}
		for range n {
			p.KeyResults = append(p.KeyResults, metric(func(*KeyResult) {}).KeyResults...)
		}
		return p
	}
	for _, c := range []struct {
		name   string
		answer Answer
		wants  string // a part of the refusal; empty: accepted
	}{
		{"only text", Answer{Text: "Fine"}, ""},
		{"no text", Answer{}, "/text: "},
		{"NUL", Answer{Text: "a\x00b"}, "/text: "},
		{"broken encoding", Answer{Text: "a\xff"}, "/text: "},
		{"too long", Answer{Text: strings.Repeat("長", maxAnswerText+1)}, "/text: "},
		{"unknown severity", Answer{Text: "x", Findings: []Finding{{Check: "c", Severity: "grave", Reason: "r"}}}, "/findings/0/severity"},
		{"no reason", Answer{Text: "x", Findings: []Finding{{Check: "c", Severity: Advice}}}, "/findings/0/reason"},
		{"an empty proposal", Answer{Text: "x", Proposal: &Proposal{}}, ""},
		{"a title", Answer{Text: "x", Proposal: &Proposal{Title: text("Better")}}, ""},
		{"an empty title", Answer{Text: "x", Proposal: &Proposal{Title: text("")}}, "/proposal/title"},
		{"a long title", Answer{Text: "x", Proposal: &Proposal{Title: text(strings.Repeat("長", 301))}}, "/proposal/title"},
		{"no description any more", Answer{Text: "x", Proposal: &Proposal{Description: text("")}}, ""},
		{"a new metric", Answer{Text: "x", Proposal: metric(func(*KeyResult) {})}, ""},
		{"ten of them", Answer{Text: "x", Proposal: many(10)}, ""},
		{"eleven", Answer{Text: "x", Proposal: many(11)}, "/proposal/key_results: has 11 items"},
		{"a changed one", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.ID = metricID })}, ""},
		{"an unknown one", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.ID = uuid.New() })}, "/proposal/key_results/0/id"},
		{"the same twice", Answer{Text: "x", Proposal: &Proposal{KeyResults: append(
			metric(func(k *KeyResult) { k.ID = metricID }).KeyResults, metric(func(k *KeyResult) { k.ID = metricID }).KeyResults...)}}, "/proposal/key_results/1/id"},
		{"an unknown kind", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Kind = "vibe" })}, "/kind"},
		{"no target", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Target = nil })}, "/target"},
		{"another kind's field", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.AtMost = number("1") })}, "/at_most"},
		{"a long unit", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Unit = strings.Repeat("%", 41) })}, "/unit"},
		{"the largest amount", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Target = number("999999999999999.999999") })}, ""},
		{"one larger", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Target = number("1000000000000000") })}, "more digits"},
		{"one finer", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Target = number("0.0000001") })}, "more digits"},
		{"an endless one", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { endless := decimal.New(1, 999_999_999); k.Target = &endless })}, "/target"},
		{"a fine weight", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Weight = *number("0.0001") })}, "/weight"},
		{"a negative weight", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.Weight = *number("-1") })}, "/weight"},
		{"no weight left", Answer{Text: "x", Proposal: metric(func(k *KeyResult) { k.ID, k.Weight = metricID, decimal.Zero })}, "/proposal/key_results: "},
		{"steps", Answer{Text: "x", Proposal: milestone(Step{stepID, "Design", one}, Step{uuid.Nil, "Ship", one})}, ""},
		{"a step of another", Answer{Text: "x", Proposal: milestone(Step{metricID, "Design", one})}, "/steps/0/id"},
		{"a step without a title", Answer{Text: "x", Proposal: milestone(Step{stepID, "", one})}, "/steps/0/title"},
		{"the same step twice", Answer{Text: "x", Proposal: milestone(Step{stepID, "Design", one}, Step{stepID, "Design", one})}, "/steps/1/id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := checkAnswer(c.answer, objective)
			if (err == nil) != (c.wants == "") || !strings.Contains(fmt.Sprint(err), c.wants) {
				t.Errorf("got %v, want %q", err, c.wants)
			}
		})
	}
}

func TestContentSurvivesTheColumn(t *testing.T) {
	t.Parallel()
	title := "Customers <stay> & pay"
	content := newContent(Proposal{Title: &title, KeyResults: []KeyResult{
		{ID: uuid.New(), Title: "Churn", Kind: "metric", Unit: "%", Baseline: number("5.200000"), Target: number("999999999999999.999999"), Weight: *number("0.125")},
		{Title: "Launch", Kind: "milestone", Steps: []Step{{ID: uuid.New(), Title: "Design", Weight: *number("2")}, {Title: "Ship", Weight: *number("1")}}, Weight: *number("1")},
	}})
	encoded, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	var decoded Content
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(encoded) || !reflect.DeepEqual(decoded.KeyResults[1].Steps[1].ID, (*uuid.UUID)(nil)) {
		t.Errorf("%s\nbecame\n%s", encoded, again)
	}
	if !strings.Contains(string(encoded), `"target":"999999999999999.999999"`) || strings.Contains(string(encoded), "stretch") {
		t.Error(string(encoded))
	}
}
