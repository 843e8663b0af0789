package ai

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rules is the coach that asks no model: a table of fixed checks, and a parser for goals in Japanese and English. The
// same request always gets the same answer, at once.
type Rules struct{}

// NewRules returns the rules coach. It has no settings and may be used by any number of goroutines.
func NewRules() *Rules { return &Rules{} }

// Name returns "rules".
func (*Rules) Name() string { return "rules" }

// Answer never reports progress: the whole answer is there at once.
func (*Rules) Answer(ctx context.Context, request Request, _ func(text string)) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	switch request.Kind {
	case Draft:
		return draft(request), nil
	case Feedback:
		return feedback(request), nil
	}
	return Answer{}, fmt.Errorf("%w: unknown kind %q", ErrTerminal, request.Kind)
}

// feedback runs every check in the table's order and sorts what they found by severity.
func feedback(request Request) Answer {
	r := newReview(request)
	findings := []Finding{}
	for _, c := range checks {
		for _, s := range c.find(r) {
			findings = append(findings, Finding{
				Check: c.name, Severity: c.severity, Pointer: s.pointer,
				Reason: c.reason.in(r.language, s.words...), Better: c.better.in(r.language, s.words...),
			})
		}
	}
	order := []Severity{Problem, Advice, Praise}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	proposal := r.mend()
	return Answer{Text: summary(r, findings, proposal), Findings: findings, Proposal: proposal}
}

// summary is the chat message: the counts, what to do first, then the rest in short.
func summary(r *review, findings []Finding, proposal *Proposal) string {
	count := map[Severity]int{}
	for _, f := range findings {
		count[f.Severity]++
	}
	var b strings.Builder
	say := func(p phrase, words ...string) { b.WriteString(p.in(r.language, words...)) }
	say(phrase{
		ja: "決まった項目による点検の結果です。文意を考えて評価したものではありません。\n直したい点が{problems}件、より良くできる点が{advice}件、良い点が{praise}件ありました。",
		en: "This is the result of fixed checks; no language model was involved.\nProblems: {problems}. Advice: {advice}. Already good: {praise}.",
	}, "{problems}", strconv.Itoa(count[Problem]), "{advice}", strconv.Itoa(count[Advice]), "{praise}", strconv.Itoa(count[Praise]))

	mend := findings[:count[Problem]+count[Advice]]
	if len(mend) == 0 {
		say(phrase{ja: "\n\n点検した項目では、直すところは見つかりませんでした。", en: "\n\nThe checks found nothing to mend."})
	} else {
		say(phrase{ja: "\n\nまず取り組みたいこと：\n{reason}", en: "\n\nStart here:\n{reason}"}, "{reason}", mend[0].Reason)
		if mend[0].Better != "" {
			say(phrase{ja: "\n直し方：{better}", en: "\nWhat to do: {better}"}, "{better}", mend[0].Better)
		}
	}
	const shown = 4
	if len(mend) > 1 {
		say(phrase{ja: "\n\nそのほか：", en: "\n\nThen:"})
		for _, f := range mend[1:min(len(mend), 1+shown)] {
			say(phrase{ja: "\n・{reason}", en: "\n- {reason}"}, "{reason}", f.Reason)
		}
		if more := len(mend) - 1 - shown; more > 0 {
			say(phrase{ja: "\n・ほかに{n}件", en: "\n- and {n} more"}, "{n}", strconv.Itoa(more))
		}
	}
	if good := findings[len(mend):]; len(good) > 0 {
		say(phrase{ja: "\n\n良いところ：", en: "\n\nKeep:"})
		for _, f := range good[:min(len(good), shown)] {
			say(phrase{ja: "\n・{reason}", en: "\n- {reason}"}, "{reason}", f.Reason)
		}
	}
	if proposal != nil {
		say(phrase{
			ja: "\n\nそのまま反映できる修正案を添えました。内容をご確認のうえ、お選びください。",
			en: "\n\nA change that can be applied as it is comes with this answer; please look at it before you accept it.",
		})
	}
	return b.String()
}
