package ai

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

var (
	tokyo = time.FixedZone("Asia/Tokyo", 9*60*60)
	today = time.Date(2026, time.November, 10, 0, 0, 0, 0, tokyo)
)

// good is an objective that no check has anything against.
func good() Request {
	return Request{
		Kind: Feedback, Language: "en", Today: today,
		Objective: Objective{
			ID: uuid.MustParse("01900000-0000-7000-8000-000000000001"), Title: "New customers succeed in their first week",
			Description: "Half of those who leave do so in their first month, and most tell us that they never got started.",
			Kind:        "aspirational", State: "approved", OwnerName: "Aoi",
			Cycle: Cycle{Name: "FY26 H2", StartsOn: time.Date(2026, time.October, 1, 0, 0, 0, 0, tokyo), EndsOn: time.Date(2027, time.March, 31, 0, 0, 0, 0, tokyo)},
			KeyResults: []KeyResult{
				checkedIn(metric("Setups completed in the first week", "%", "40", "70")),
				checkedIn(metric("Early churn", "%", "5", "3")),
				checkedIn(threshold("First response time", "hours", "", "8", "2")),
				checkedIn(milestone3("New tour rolled out", 1, 1, 1)),
			},
		},
		Parent: &Reference{Title: "Customers stay because they succeed"},
	}
}

func goodJapanese() Request {
	r := good()
	r.Language = "ja"
	r.Objective.Title = "初めてのお客さまが最初の一週間で成果を出せる"
	r.Objective.Description = "離れていくお客さまの半分は最初の一か月で離れており、使い始められなかったという声が目立ちます。"
	r.Objective.Cycle.Name = "下期"
	r.Objective.KeyResults = []KeyResult{
		checkedIn(metric("初週の設定完了率", "%", "40", "70")), checkedIn(metric("初月の解約率", "%", "5", "3")),
		checkedIn(threshold("一次回答時間", "時間", "", "8", "2")),
	}
	r.Parent = &Reference{Title: "お客さまが成果を出し、使い続ける"}
	return r
}

func metric(title, unit, baseline, target string) KeyResult {
	return KeyResult{Title: title, Kind: "metric", Unit: unit, Baseline: parsed(baseline), Target: parsed(target), Weight: decimal.New(1, 0)}
}

func threshold(title, unit, atLeast, atMost, tolerance string) KeyResult {
	return KeyResult{Title: title, Kind: "threshold", Unit: unit, AtLeast: parsed(atLeast), AtMost: parsed(atMost), Tolerance: parsed(tolerance), Weight: decimal.New(1, 0)}
}

func milestone3(title string, weights ...int64) KeyResult {
	kr := KeyResult{Title: title, Kind: "milestone", Weight: decimal.New(1, 0)}
	for i, w := range weights {
		kr.Steps = append(kr.Steps, Step{Title: "Step " + strconv.Itoa(i+1), Weight: decimal.NewFromInt(w)})
	}
	return kr
}

func checkedIn(kr KeyResult) KeyResult {
	kr.CheckedInAt = ptr(today.AddDate(0, 0, -3))
	return kr
}

func parsed(s string) *decimal.Decimal {
	if s == "" {
		return nil
	}
	return ptr(decimal.RequireFromString(s))
}

// change is one edit to the good objective.
type change func(*Request)

func title(s string) change              { return func(r *Request) { r.Objective.Title = s } }
func keyResults(krs ...KeyResult) change { return func(r *Request) { r.Objective.KeyResults = krs } }
func first(edit func(*KeyResult)) change {
	return func(r *Request) { edit(&r.Objective.KeyResults[0]) }
}
func committed(c change) change {
	return func(r *Request) { r.Objective.Kind = "committed"; c(r) }
}

// pairs holds for every check where it finds something and where, as near as can be, it does not.
var pairs = map[string]struct {
	finds, passes []change
	pointer       string
}{
	"objective-is-outcome": {
		finds:   []change{title("Launch the new onboarding flow"), title("新しい管理画面をリリースする"), title("研修を実施します")},
		passes:  []change{title("Build trust with our largest customers"), title("誰もが初日から使いこなせる"), title("Launches no longer worry anybody")},
		pointer: "/title",
	},
	"objective-without-number": {
		finds:   []change{title("Customers rate us 4.5 points"), title("売上を1.2億円から1.5億円にする")},
		passes:  []change{title("Customers rate us best by March 2027"), title("2026年12月までにお客さまの第一候補になる")},
		pointer: "/title",
	},
	"objective-has-one-goal": {
		finds:   []change{title("Delight customers and reduce our costs"), title("品質向上および費用の見直しに取り組む")},
		passes:  []change{title("Setup is quick and painless for customers"), title("早くて正確な対応で選ばれる")},
		pointer: "/title",
	},
	"objective-is-specific": {
		finds:   []change{title("Improve customer support quality"), title("営業力の強化"), title("業務を効率化する")},
		passes:  []change{title("Improve the first week so that new customers stay with us for years"), title("初めてのお客さまが一人で使いこなせる")},
		pointer: "/title",
	},
	"objective-title-not-too-short": {
		finds: []change{title("Customer success"), title("売上")}, passes: []change{title("Customers find us"), title("選ばれる店になる")}, pointer: "/title",
	},
	"objective-title-not-too-long": {
		finds: []change{title(strings.Repeat("Customers succeed ", 8)), title(strings.Repeat("お客さまが成果を出せる", 7))}, passes: []change{title(strings.Repeat("Customers succeed ", 6))}, pointer: "/title",
	},
	"objective-is-worded-positively": {
		finds: []change{title("Stop customers from leaving us"), title("お客さまの解約を防ぐ")}, passes: []change{title("Customers have every reason to stay"), title("お客さまが使い続けたくなる")}, pointer: "/title",
	},
	"objective-goes-beyond-routine": {
		finds: []change{title("Maintain the current support operation"), title("安定した運用を維持する")}, passes: []change{title("Support becomes a reason to choose us"), title("問い合わせるほど好きになってもらえる")}, pointer: "/title",
	},
	"objective-in-plain-words": {
		finds: []change{title("KPI CPA CVR uplift"), title("CRM & SFA")}, passes: []change{title("Our NPS shows that customers love us"), title("CRMを誰もが使いこなせる")}, pointer: "/title",
	},
	"objective-says-why": {
		finds: []change{func(r *Request) { r.Objective.Description = "" }, func(r *Request) { r.Objective.Description = "Important." }},
		passes: []change{func(r *Request) {
			r.Objective.Description = "お客さまの半分が最初の一か月で離れているためです。"
		}},
		pointer: "/description",
	},
	"objective-has-owner": {
		finds: []change{func(r *Request) { r.Objective.OwnerName = " " }}, passes: []change{func(r *Request) { r.Objective.OwnerName = "Ren" }}, pointer: "/owner_name",
	},
	"objective-differs-from-neighbours": {
		finds: []change{func(r *Request) { r.Neighbours = []Reference{{Title: "New customers succeed in the first week!"}} }},
		passes: []change{
			func(r *Request) { r.Neighbours = []Reference{{Title: "Engineers enjoy their on-call weeks"}} },
			func(r *Request) { r.Neighbours = []Reference{{ID: r.Objective.ID, Title: r.Objective.Title}} },
		},
		pointer: "/title",
	},
	"objective-supports-parent": {
		finds:   []change{func(r *Request) { r.Parent = &Reference{Title: "Factories run without interruption"} }},
		passes:  []change{func(r *Request) { r.Parent = nil }, func(r *Request) { r.Parent = &Reference{Title: "工場が止まらない"} }},
		pointer: "/description",
	},
	"key-results-exist":        {finds: []change{keyResults()}, passes: []change{keyResults(metric("Churn", "%", "5", "3"))}, pointer: "/key_results"},
	"key-results-at-least-two": {finds: []change{keyResults(metric("Churn", "%", "5", "3"))}, passes: []change{keyResults()}, pointer: "/key_results"},
	"key-results-at-most-five": {
		finds: []change{keyResults(make([]KeyResult, 6)...)}, passes: []change{keyResults(make([]KeyResult, 5)...)}, pointer: "/key_results",
	},
	"key-results-show-effect": {
		finds: []change{keyResults(milestone3("Tour built", 1, 1), milestone3("Guide written", 1, 1))}, passes: []change{keyResults(milestone3("Tour built", 1, 1), metric("Churn", "%", "5", "3"))}, pointer: "/key_results",
	},
	"key-results-guard-quality": {
		finds:   []change{keyResults(metric("New contracts", "contracts", "10", "30"), metric("Visits", "visits", "100", "300"))},
		passes:  []change{keyResults(metric("New contracts", "contracts", "10", "30"), metric("Renewal rate", "%", "80", "88"))},
		pointer: "/key_results",
	},
	"key-result-weights-are-even": {
		finds:   []change{first(func(kr *KeyResult) { kr.Weight = decimal.NewFromInt(9) })},
		passes:  []change{first(func(kr *KeyResult) { kr.Weight = decimal.NewFromInt(2) })},
		pointer: "/key_results/0/weight",
	},
	"key-results-differ": {
		finds:   []change{keyResults(metric("Early churn", "%", "5", "3"), metric("early churn.", "%", "5", "2"))},
		passes:  []change{keyResults(metric("Early churn", "%", "5", "3"), metric("Setup time", "days", "5", "2"))},
		pointer: "/key_results/1/title",
	},
	"key-result-is-measurable": {
		finds: []change{keyResults(milestone3("Happy customers", 1))}, passes: []change{keyResults(milestone3("Happy customers", 1, 1)), keyResults(milestone3("20 happy customers", 1))}, pointer: "/key_results/0",
	},
	"milestone-has-several-steps": {
		finds: []change{keyResults(milestone3("12 customers interviewed", 1))}, passes: []change{keyResults(milestone3("12 customers interviewed", 1, 1))}, pointer: "/key_results/0/steps",
	},
	"milestone-has-few-steps": {
		finds: []change{keyResults(milestone3("Tour", 1, 1, 1, 1, 1, 1, 1, 1, 1))}, passes: []change{keyResults(milestone3("Tour", 1, 1, 1, 1, 1, 1, 1, 1))}, pointer: "/key_results/0/steps",
	},
	"milestone-spreads-weight": {
		finds: []change{keyResults(milestone3("Tour", 0, 0, 1)), keyResults(milestone3("Tour", 1, 1, 8))}, passes: []change{keyResults(milestone3("Tour", 1, 1, 7))}, pointer: "/key_results/0/steps",
	},
	"key-result-is-outcome": {
		finds:   []change{keyResults(metric("Launch the tour", "%", "0", "100")), keyResults(metric("研修を実施する", "回", "0", "3"))},
		passes:  []change{keyResults(milestone3("Launch the tour", 1, 1)), keyResults(metric("Tours finished", "%", "10", "50"))},
		pointer: "/key_results/0/title",
	},
	"key-result-has-baseline": {
		finds: []change{first(func(kr *KeyResult) { kr.Baseline = nil })}, passes: []change{first(func(kr *KeyResult) { kr.Baseline = parsed("1") })}, pointer: "/key_results/0/baseline",
	},
	"key-result-has-target": {
		finds: []change{first(func(kr *KeyResult) { kr.Target = nil })}, passes: []change{first(func(kr *KeyResult) { kr.Target = parsed("1") })}, pointer: "/key_results/0/target",
	},
	"key-result-asks-for-change": {
		finds:   []change{keyResults(metric("Visits", "visits", "1000", "1009")), keyResults(metric("Visits", "visits", "0", "0"))},
		passes:  []change{keyResults(metric("Visits", "visits", "1000", "1010")), keyResults(metric("Uptime", "%", "99.5", "99.9"))},
		pointer: "/key_results/0/target",
	},
	"key-result-stretches": {
		finds:   []change{keyResults(metric("Visits", "visits", "1000", "1029"))},
		passes:  []change{keyResults(metric("Visits", "visits", "1000", "1030")), committed(keyResults(metric("Visits", "visits", "1000", "1029"))), keyResults(metric("Uptime", "%", "99.5", "99.9"))},
		pointer: "/key_results/0/target",
	},
	"key-result-within-reach": {
		finds:   []change{committed(keyResults(metric("Visits", "visits", "10", "100"))), committed(keyResults(metric("Defects", "defects", "100", "10")))},
		passes:  []change{committed(keyResults(metric("Visits", "visits", "10", "99"))), keyResults(metric("Visits", "visits", "10", "100"))},
		pointer: "/key_results/0/target",
	},
	"key-result-baseline-is-known": {
		finds: []change{keyResults(metric("Completion", "%", "0", "60"))}, passes: []change{keyResults(metric("Completion", "%", "1", "60")), keyResults(metric("Hires", "people", "0", "6"))}, pointer: "/key_results/0/baseline",
	},
	"key-result-percent-in-range": {
		finds:   []change{keyResults(metric("Completion", "%", "50", "101")), keyResults(threshold("Uptime", "%", "120", "", ""))},
		passes:  []change{keyResults(metric("Completion", "%", "50", "100")), keyResults(metric("売上の前年比", "%", "98", "120")), keyResults(metric("Net revenue retention", "%", "98", "110"))},
		pointer: "/key_results/0",
	},
	"key-result-has-unit": {
		finds: []change{keyResults(metric("Cost", "", "50", "40"))}, passes: []change{keyResults(metric("NPS", "", "30", "45")), keyResults(metric("Cost", "€", "50", "40")), keyResults(milestone3("Tour", 1, 1))}, pointer: "/key_results/0/unit",
	},
	"key-result-unit-matches-title": {
		finds:   []change{keyResults(metric("Response time (ms)", "seconds", "5", "3")), keyResults(metric("解約率（%）", "件", "5", "3"))},
		passes:  []change{keyResults(metric("Response time (sec)", "seconds", "5", "3")), keyResults(metric("Answered within 4 hours", "%", "50", "80")), keyResults(metric("入社1年以内の離職率", "%", "15", "8"))},
		pointer: "/key_results/0/unit",
	},
	"threshold-has-band": {
		finds: []change{keyResults(threshold("Queue", "tickets", "", "", "")), keyResults(threshold("Queue", "tickets", "9", "5", "1"))}, passes: []change{keyResults(threshold("Queue", "tickets", "5", "5", "1"))}, pointer: "/key_results/0/at_least",
	},
	"threshold-has-tolerance": {
		finds: []change{keyResults(threshold("Uptime", "%", "99.9", "", ""))}, passes: []change{keyResults(threshold("Uptime", "%", "99.9", "", "0.5"))}, pointer: "/key_results/0/tolerance",
	},
	"cycle-is-not-over": {
		finds: []change{func(r *Request) { r.Today = r.Objective.Cycle.EndsOn.AddDate(0, 0, 1) }},
		passes: []change{
			func(r *Request) { r.Today = r.Objective.Cycle.EndsOn },
			func(r *Request) { r.Today, r.Objective.State = r.Objective.Cycle.EndsOn.AddDate(0, 0, 1), "closed" },
		},
		pointer: "/cycle/ends_on",
	},
	"cycle-has-begun": {
		finds:   []change{func(r *Request) { r.Today = r.Objective.Cycle.StartsOn.AddDate(0, 0, -1) }},
		passes:  []change{func(r *Request) { r.Today = r.Objective.Cycle.StartsOn }},
		pointer: "/cycle/starts_on",
	},
	"deadline-within-cycle": {
		finds: []change{
			title("Customers love us by April 2027"), title("2027年6月までに第一候補になる"), title("Customers love us by September"), title("8月末までに誰もが使いこなせる"), title("Customers love us by 2027-04-01"),
		},
		passes: []change{
			title("Customers love us by March 2027"), title("2026年12月までに第一候補になる"), title("Customers love us by the end of December"), title("Since April 2026 customers complain"), title("2025年4月の調査で見えた不満が消える"),
		},
		pointer: "/title",
	},
	"key-result-is-checked-in": {
		finds: []change{first(func(kr *KeyResult) { kr.CheckedInAt = ptr(today.AddDate(0, 0, -22)) }), first(func(kr *KeyResult) { kr.CheckedInAt = nil })},
		passes: []change{
			first(func(kr *KeyResult) { kr.CheckedInAt = ptr(today.AddDate(0, 0, -21)) }),
			func(r *Request) { r.Objective.State, r.Objective.KeyResults[0].CheckedInAt = "draft", nil },
		},
		pointer: "/key_results/0",
	},
	"key-result-explains-low-confidence": {
		finds: []change{first(func(kr *KeyResult) { kr.Confidence = ptr(3) })},
		passes: []change{
			first(func(kr *KeyResult) { kr.Confidence = ptr(4) }),
			first(func(kr *KeyResult) { kr.Confidence, kr.Description = ptr(2), "We wait for the vendor." }),
		},
		pointer: "/key_results/0/description",
	},
	"key-result-still-asks-for-more": {
		finds:   []change{first(func(kr *KeyResult) { kr.Current = parsed("70") })},
		passes:  []change{first(func(kr *KeyResult) { kr.Current = parsed("69") }), first(func(kr *KeyResult) { kr.Current, kr.Stretch = parsed("71"), parsed("80") })},
		pointer: "/key_results/0/stretch",
	},
	"objective-is-well-worded":   {finds: []change{title("New customers succeed in their first week")}, passes: []change{title("Launch the new onboarding"), title("")}, pointer: "/title"},
	"objective-gives-reason":     {finds: []change{title("Anything at all here")}, passes: []change{func(r *Request) { r.Objective.Description = "Important." }}, pointer: "/description"},
	"key-results-are-few":        {finds: []change{keyResults(make([]KeyResult, 5)...)}, passes: []change{keyResults(make([]KeyResult, 6)...), keyResults(make([]KeyResult, 1)...)}, pointer: "/key_results"},
	"key-results-are-measurable": {finds: []change{keyResults(metric("Churn", "%", "5", "3"))}, passes: []change{keyResults(), keyResults(metric("Churn", "%", "", "3"))}, pointer: "/key_results"},
	"key-results-are-balanced": {
		finds:   []change{keyResults(metric("Contracts", "contracts", "5", "9"), threshold("Satisfaction", "%", "90", "", "5"))},
		passes:  []change{keyResults(metric("Contracts", "contracts", "5", "9"), metric("Visits", "visits", "5", "9"))},
		pointer: "/key_results",
	},
	"objective-fits-parent": {
		finds: []change{func(r *Request) { r.Parent = &Reference{Title: "Customers succeed"} }}, passes: []change{func(r *Request) { r.Parent = &Reference{Title: "Factories run day and night"} }}, pointer: "",
	},
	"key-results-are-checked-in": {
		finds: []change{first(func(kr *KeyResult) { kr.CheckedInAt = ptr(today.AddDate(0, 0, -14)) })}, passes: []change{first(func(kr *KeyResult) { kr.CheckedInAt = ptr(today.AddDate(0, 0, -15)) })}, pointer: "/key_results",
	},
}

func TestEveryCheckFindsAndPasses(t *testing.T) {
	t.Parallel()
	for _, c := range checks {
		pair, ok := pairs[c.name]
		if !ok || len(pair.finds) == 0 || len(pair.passes) == 0 {
			t.Errorf("%s is not tested both ways", c.name)
			continue
		}
		for i, edit := range pair.finds {
			for _, language := range []string{"ja", "en"} {
				request := good()
				request.Language = language
				edit(&request)
				answer := ask(t, request)
				at := slices.IndexFunc(answer.Findings, func(f Finding) bool { return f.Check == c.name })
				if at < 0 {
					t.Errorf("%s does not find example %d", c.name, i)
					continue
				}
				f := answer.Findings[at]
				if f.Pointer != pair.pointer || f.Severity != c.severity {
					t.Errorf("%s, example %d: %s at %q, want %s at %q", c.name, i, f.Severity, f.Pointer, c.severity, pair.pointer)
				}
				wellWritten(t, language, f)
				foreignWords(t, language, answer.Text)
			}
		}
		for i, edit := range pair.passes {
			request := good()
			edit(&request)
			if slices.ContainsFunc(ask(t, request).Findings, func(f Finding) bool { return f.Check == c.name }) {
				t.Errorf("%s objects to example %d, which is right", c.name, i)
			}
		}
	}
	if len(pairs) != len(checks) {
		t.Errorf("%d pairs for %d checks", len(pairs), len(checks))
	}
}

func wellWritten(t *testing.T, language string, f Finding) {
	t.Helper()
	for _, text := range []string{f.Reason, f.Better} {
		if strings.ContainsAny(text, "{}") || strings.Contains(text, "  ") {
			t.Errorf("%s leaves something unfilled: %q", f.Check, text)
		}
		foreignWords(t, language, text)
	}
	if f.Reason == "" || (f.Better == "") != (f.Severity == Praise) {
		t.Errorf("%s: reason %q, better %q", f.Check, f.Reason, f.Better)
	}
}

var (
	userWords  = regexp.MustCompile(`「(?:[^「」]|『[^』]*』)*」|“[^“”]*”`)
	latinWords = regexp.MustCompile(`[A-Za-z]{2,}`)
	kana       = regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}。、]+`)
	latinUnit  = regexp.MustCompile(`[0-9] ?(?:per )?[A-Za-z/ ]+`)
	kanjiUnit  = regexp.MustCompile(`[月週年]?[0-9.,]+[\p{Katakana}\p{Han}ー/]+`)
)

// foreignWords objects to words of the other language, the member's own words and the units of numbers aside.
func foreignWords(t *testing.T, language, text string) {
	t.Helper()
	rest := userWords.ReplaceAllString(text, "")
	if language == "ja" {
		rest = latinUnit.ReplaceAllString(rest, "")
		if found := latinWords.FindString(rest); found != "" {
			t.Errorf("%q in a Japanese text: %s", found, text)
		}
		return
	}
	if found := kana.FindString(kanjiUnit.ReplaceAllString(rest, "")); found != "" {
		t.Errorf("%q in an English text: %s", found, text)
	}
}

func TestPhrasesAreComplete(t *testing.T) {
	t.Parallel()
	blanks := regexp.MustCompile(`\{[a-z]+\}`)
	names := map[string]bool{}
	for _, c := range checks {
		if names[c.name] || !regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`).MatchString(c.name) {
			t.Errorf("%q is no stable name, or is there twice", c.name)
		}
		names[c.name] = true
		for _, p := range []phrase{c.reason, c.better} {
			ja, en := blanks.FindAllString(p.ja, -1), blanks.FindAllString(p.en, -1)
			for _, blank := range ja {
				if !slices.Contains(en, blank) {
					t.Errorf("%s: %s is in one language only", c.name, blank)
				}
			}
			if (p.ja == "") != (p.en == "") || len(en) > 0 && len(ja) == 0 {
				t.Errorf("%s is not in both languages: %+v", c.name, p)
			}
			foreignWords(t, "ja", blanks.ReplaceAllString(p.ja, ""))
			foreignWords(t, "en", p.en)
		}
	}
	if len(checks) < 24 {
		t.Errorf("%d checks only", len(checks))
	}
}

func TestGoodObjectiveIsPraised(t *testing.T) {
	t.Parallel()
	for _, request := range []Request{good(), goodJapanese()} {
		answer := ask(t, request)
		for _, f := range answer.Findings {
			if f.Severity != Praise {
				t.Errorf("%s objects: %s", f.Check, f.Reason)
			}
		}
		if len(answer.Findings) < 6 || answer.Proposal != nil {
			t.Errorf("%d praises, proposal %+v", len(answer.Findings), answer.Proposal)
		}
		foreignWords(t, request.Language, answer.Text)
	}
}

func TestFindingsAreOrderedAndStable(t *testing.T) {
	t.Parallel()
	request := good()
	request.Objective = Objective{Title: "Launch NPS from 30 to 45 and improve", Kind: "committed", Cycle: request.Objective.Cycle, KeyResults: []KeyResult{
		metric("x", "", "", ""), metric("x", "", "1", "1"), threshold("Stop errors by 2030", "%", "", "", ""), milestone3("Build it", 1), milestone3("Build it", 0, 1),
	}}
	answer := ask(t, request)
	order := []Severity{Problem, Advice, Praise}
	if !slices.IsSortedFunc(answer.Findings, func(a, b Finding) int { return slices.Index(order, a.Severity) - slices.Index(order, b.Severity) }) {
		t.Errorf("not problems, advice, praise: %+v", answer.Findings)
	}
	if !strings.Contains(answer.Text, answer.Findings[0].Reason) {
		t.Errorf("the most important finding is not told:\n%s", answer.Text)
	}
	for range 20 {
		if again := ask(t, request); !reflect.DeepEqual(again, answer) {
			t.Fatalf("another answer to the same request:\n%+v\n%+v", answer, again)
		}
	}
}

func TestNumberMovesFromTitleToKeyResult(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][2]string{
		"NPSを30から45に上げ、お客さまに愛されるサービスになる":                  {"お客さまに愛されるサービスになる", "metric NPS | from 30 | to 45"},
		"Raise NPS from 30 to 45 and customers love us":   {"Customers love us", "metric NPS | from 30 | to 45"},
		"Keep uptime above 99.9%":                         {"", "threshold Uptime | least 99.9 | %"},
		"Raise NPS to 45":                                 {"", ""},
		"Customers succeed in their first week":           {"", ""},
		"Cut churn from 5% to 3%, raise NPS to 45 points": {"", "metric Churn | from 5 | to 3 | %"},
	} {
		request := good()
		request.Objective.Title = title
		p := ask(t, request).Proposal
		var got [2]string
		if p != nil {
			got[1] = strings.Join(sketches(p.KeyResults), "; ")
			if p.Title != nil {
				got[0] = *p.Title
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
	request := good()
	request.Objective.Title = "Cut early churn from 5% to 3%"
	request.Objective.KeyResults[1].ID = uuid.Must(uuid.NewV7())
	if p := ask(t, request).Proposal; p != nil {
		t.Errorf("a key result that is there already is proposed: %q", sketches(p.KeyResults))
	}
}

func TestAnswerRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	if _, err := NewRules().Answer(t.Context(), Request{Kind: "poem"}, nil); !errors.Is(err, ErrTerminal) {
		t.Errorf("got %v, want %v", err, ErrTerminal)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewRules().Answer(ctx, good(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	var provider Provider = NewRules()
	if provider.Name() != "rules" {
		t.Errorf("named %q", provider.Name())
	}
}

func TestDraftAnswersStayInTheirLanguage(t *testing.T) {
	t.Parallel()
	texts := []string{"", "raise NPS from 30 to 45", "解約率を5%から3%に下げる", "Raise NPS to 45", "もっと喜ばれたい", "reduce tickets by 30%", "keep uptime at 99.9%", "from 5% to 3%", "double signups", "a) raise x from 1 to 2 kg b) hire 3 engineers", "ship: a) search b) filters"}
	for _, text := range texts {
		for _, language := range []string{"ja", "en"} {
			request := good()
			request.Kind, request.Language, request.Objective.Title, request.Messages = Draft, language, "", []Message{{Text: text}}
			foreignWords(t, language, ask(t, request).Text)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]quantity{
		"$120,000": {value: decimal.NewFromInt(120000), unit: "$"}, "-€5": {value: decimal.NewFromInt(-5), unit: "€"}, "99.95%": {value: decimal.RequireFromString("99.95"), unit: "%"},
		"月6件": {value: decimal.NewFromInt(6), unit: "件/月"}, "1日6件": {value: decimal.NewFromInt(6), unit: "件/日"}, "300 ms": {value: decimal.NewFromInt(300), unit: "ms"}, "$3/month": {value: decimal.NewFromInt(3), unit: "$/month"},
		"1,234,567": {value: decimal.NewFromInt(1234567)}, "120,000,000円": {value: decimal.NewFromInt(120000000), unit: "円"},
	} {
		if got := amount(q.value, q.unit); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func ExampleRules() {
	answer, err := NewRules().Answer(context.Background(), Request{Kind: Draft, Language: "ja", Messages: []Message{{Text: "解約率を５％から３％に下げ、NPSを45にしたい。"}}}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Text)
	// Output:
	// 書かれた文章を、決まった規則で読み取った結果です。文意を考えて作文したものではありませんので、内容をご確認ください。
	//
	// 主要な成果の案：
	// 1. 「解約率」：5%から3%へ
	//
	// 教えていただきたいこと：
	// ・「NPS」の目標は45と読み取りましたが、今の値が書かれていません。今はいくつでしょうか。「今は…、目標は45」のように書いていただければ、変化を測る主要な成果にできます。
}
