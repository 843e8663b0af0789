package ai

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// draft turns what the member wrote into key results, and asks for what is missing; it never makes up a number.
// The newest messages come first; only where they hold nothing is the dialogue before them read too, then the objective itself.
func draft(request Request) Answer {
	objective, language := request.Objective, request.Language
	newest, all := memberText(request.Messages)
	o, own := read(newest), false
	if len(o.results) == 0 && all != newest {
		if wider := read(all); len(wider.results) > 0 {
			o = wider
		}
	}
	if len(o.results) == 0 {
		if wider := read(objective.Title + "\n" + objective.Description); len(wider.results) > 0 {
			wider.questions = append(o.questions, wider.questions...)
			o, own = wider, true
		}
	}
	wording := answerTo{language: language}
	proposal := Proposal{}
	for _, kr := range o.results {
		kr, known := place(kr, objective.KeyResults)
		if known {
			wording.known = append(wording.known, kr)
			continue
		}
		proposal.KeyResults = append(proposal.KeyResults, kr)
	}
	if !own && len(proposal.KeyResults) > 0 {
		proposal.Title, proposal.Description = o.words(objective)
	}
	wording.questions = o.questions
	if len(proposal.KeyResults) > 0 {
		wording.proposal = &proposal
	} else if len(o.questions) == 0 && len(wording.known) == 0 {
		wording.words = gist(newest, objective)
	}
	return Answer{Text: wording.text(request), Findings: []Finding{}, Proposal: wording.proposal}
}

// memberText joins what the member wrote since the coach's last answer, and all that the member wrote.
func memberText(messages []Message) (newest, all string) {
	var since, whole []string
	for _, m := range messages {
		if m.FromCoach {
			since = nil
			continue
		}
		since, whole = append(since, m.Text), append(whole, m.Text)
	}
	return strings.Join(since, "\n"), strings.Join(whole, "\n")
}

// place makes the proposal a change to the key result that measures the same in the same way, if the objective has one.
// Known says that it is there already, exactly so.
func place(kr KeyResult, existing []KeyResult) (placed KeyResult, known bool) {
	for _, old := range existing {
		if old.Kind != kr.Kind || plain(old.Title) != plain(kr.Title) || old.ID == uuid.Nil {
			continue
		}
		if kr.Kind == "milestone" {
			return old, true // which step became which cannot be told from names
		}
		kr.ID, kr.Title, kr.Description, kr.Weight, kr.OwnerName = old.ID, old.Title, old.Description, old.Weight, old.OwnerName
		if kr.Unit == "" {
			kr.Unit = old.Unit
		}
		return kr, describe("en", old) == describe("en", kr)
	}
	return kr, false
}

var (
	placeholder = regexp.MustCompile(`(?i)^(?:(?:a |my |the )?(?:new )?(?:untitled|draft|test|tbd|todo|title|objective|goal|okr)(?: (?:objective|goal|okr|title|draft))?|無題(?:の目標)?|(?:新しい|新規の?)?(?:目標|オブジェクティブ)|未定|仮|テスト|下書き)\s*(?:\d*|\(\d*\)|\(仮\))$`)
	greeting    = regexp.MustCompile(`(?i)^(?:hi|hello|hey|dear|thanks|thank you|please|could you|can you|こんにちは|こんばんは|おはよう|お疲れ|お世話|よろしく|お願い|ありがとう|すみません)`)
	titleLabel  = regexp.MustCompile(`^(?i:objective|goal|title|o|目標|目的)\s*[:：]\s*`)
)

// words proposes a title and a description from the sentences that became no key result. A title is proposed where the objective
// has none of its own but a placeholder; a description where it has none, since what people write around their numbers is mostly why.
// A description is never replaced.
func (o outline) words(objective Objective) (title, description *string) {
	const titleLimit = 120
	bare := strings.TrimSpace(fold(objective.Title))
	heading := -1
	for i, s := range o.sentences {
		if text := strings.TrimSpace(s.raw); !s.used && !s.listed && text != "" && !greeting.MatchString(text) && utf8.RuneCountInString(text) <= titleLimit {
			heading = i
			break
		}
	}
	missing := quantityOnly(bare) || placeholder.MatchString(bare)
	same := heading >= 0 && plain(objective.Title) == plain(titleOf(o.sentences[heading].raw))
	switch {
	case missing && heading >= 0:
		title = ptr(titleOf(o.sentences[heading].raw))
	case !same:
		heading = -1 // no heading of this objective: it belongs to the rest
	}
	if strings.TrimSpace(objective.Description) != "" {
		return title, nil
	}
	const worthKeeping = 15 // runes: fewer give no reason
	if rest := o.rest(heading); utf8.RuneCountInString(rest) >= worthKeeping {
		description = &rest
	}
	return title, description
}

func titleOf(raw string) string {
	return cut(strings.TrimRight(titleLabel.ReplaceAllString(strings.TrimSpace(raw), ""), "。. "), titleRunes)
}

// rest is the text without its heading and without what became key results.
func (o outline) rest(heading int) string {
	const runes = 4000
	var b strings.Builder
	line := -1
	for i, s := range o.sentences {
		if i == heading || s.used || greeting.MatchString(s.raw) || strings.TrimSpace(s.raw) == "" {
			continue
		}
		if line >= 0 && s.line != line {
			b.WriteByte('\n')
		}
		line = s.line
		b.WriteString(s.raw)
	}
	return cut(strings.TrimSpace(b.String()), runes)
}

// gist is a part of the member's own words to ask back with.
func gist(text string, objective Objective) string {
	for _, s := range append(splitSentences(strings.Join(strings.Fields(cut(clean(text), 400)), " ")), objective.Title) {
		if s = titleOf(s); !quantityOnly(s) && !greeting.MatchString(s) && !placeholder.MatchString(fold(s)) {
			return s
		}
	}
	return ""
}

// answerTo holds what the answer to a draft says.
type answerTo struct {
	language  string
	proposal  *Proposal
	known     []KeyResult
	questions []question
	words     string // the member's words where nothing could be read from them
}

// empty reports whether nothing at all was read.
func (a answerTo) empty() bool {
	return a.proposal == nil && len(a.questions) == 0 && len(a.known) == 0
}

// maxQuestions bounds what is asked at once.
const maxQuestions = 5

func (a answerTo) text(request Request) string {
	var b strings.Builder
	say := func(p phrase, words ...string) { b.WriteString(p.in(a.language, words...)) }
	intro := phrase{
		ja: "書かれた文章を、決まった規則で読み取った結果です。文意を考えて作文したものではありませんので、内容をご確認ください。",
		en: "This is what fixed rules could read from your text. No language model was involved, so please check it before you accept it.",
	}
	if a.empty() && a.words == "" {
		intro = phrase{ja: "決まった規則による読み取りです。まだ読み取れる文章がありません。", en: "This coach reads by fixed rules, and there is nothing to read yet."}
	}
	say(intro)
	if a.proposal != nil {
		say(phrase{ja: "\n\n主要な成果の案：", en: "\n\nProposed key results:"})
		for i, kr := range a.proposal.KeyResults {
			say(phrase{ja: "\n{n}. 「{title}」：{what}", en: "\n{n}. “{title}”: {what}"}, "{n}", strconv.Itoa(i+1), "{title}", quoted(kr.Title), "{what}", describe(a.language, kr))
			if kr.ID != uuid.Nil {
				say(phrase{ja: "（今ある主要な成果を書き換えます）", en: " (changes the key result that is there)"})
			}
		}
		if len(a.proposal.KeyResults) == maxKeyResults {
			say(phrase{ja: "\n一度に提案するのは{n}件までです。", en: "\nNo more than {n} are proposed at once."}, "{n}", strconv.Itoa(maxKeyResults))
		}
		if a.proposal.Title != nil {
			say(phrase{ja: "\n\n目標の文は「{title}」としました。", en: "\n\nThe objective would read “{title}”."}, "{title}", quoted(*a.proposal.Title))
		}
		if a.proposal.Description != nil {
			say(phrase{ja: "\n残りの文は、目標の説明に入れました。", en: "\nYour other sentences would become its description."})
		}
	}
	for _, kr := range a.known {
		say(phrase{ja: "\n\n「{title}」は、すでに同じ内容で登録されています。", en: "\n\n“{title}” is there already, just as you wrote it."}, "{title}", quoted(kr.Title))
	}
	if len(a.questions) > 0 {
		say(phrase{ja: "\n\n教えていただきたいこと：", en: "\n\nQuestions:"})
		for _, q := range a.questions[:min(len(a.questions), maxQuestions)] {
			say(phrase{ja: "\n・{question}", en: "\n- {question}"}, "{question}", q.text(a.language))
		}
	}
	if a.empty() {
		b.WriteString(a.openQuestions(request))
	}
	return b.String()
}

// openQuestions asks for what a key result needs where the text held no number to start from.
func (a answerTo) openQuestions(request Request) string {
	end := phrase{ja: "期間の終わり", en: "the end of the cycle"}.in(a.language)
	if !request.Objective.Cycle.EndsOn.IsZero() {
		end = day(a.language, request.Objective.Cycle.EndsOn)
	}
	if a.words == "" {
		return phrase{
			ja: "\n\n次のことを、ふだんの言葉で書いてください。\n・{end}に、誰にとって何が良くなっていてほしいですか。\n・それは何の数値で分かり、今はいくつで、いくつになればよいですか。\n\n書き方の例：\n「問い合わせの一次回答時間を24時間から8時間に短縮する」\n「稼働率99.9%以上を維持する」",
			en: "\n\nPlease write in your own words:\n- What should be better, and for whom, by {end}?\n- Which number will show it, where is it today, and where should it be?\n\nFor example:\n“Cut the first response time from 24 hours to 8 hours”\n“Keep uptime above 99.9%”",
		}.in(a.language, "{end}", end)
	}
	return phrase{
		ja: "\n\n測り方は読み取れませんでした。次のことを教えてください。\n・「{words}」が実現したことは、何の数値で分かりますか。\n・その数値は今いくつで、{end}までにいくつになればよいですか。\n・数値にしにくい場合は、どのような段階を順に終えれば達成ですか。\n\n書き方の例：\n「『{words}』が実現したと答える人の割合を60%から80%に上げる」",
		en: "\n\nIt does not say yet how to measure this. Please add:\n- Which number will show that “{words}” has come true?\n- Where is that number today, and where should it be by {end}?\n- If no number fits: which steps, one after the other, make it done?\n\nFor example:\n“Raise the share of people who say that ‘{words}’ has come true from 60% to 80%”",
	}.in(a.language, "{words}", quoted(a.words), "{end}", end)
}

// text asks the question in the language.
func (q question) text(language string) string {
	value := ""
	if q.amount != nil {
		value = amount(*q.amount, q.unit)
	}
	words := []string{"{subject}", quoted(q.subject), "{value}", value, "{unit}", q.unit, "{other}", q.clash}
	var p phrase
	switch q.about {
	case lacksBaseline:
		p = phrase{
			ja: "「{subject}」の目標は{value}と読み取りましたが、今の値が書かれていません。今はいくつでしょうか。「今は…、目標は{value}」のように書いていただければ、変化を測る主要な成果にできます。",
			en: "“{subject}” is to reach {value}, but you did not say where it is today. Write “from … to {value}” and it becomes a key result that measures the change.",
		}
	case lacksChange:
		return q.changeText(language)
	case lacksDirection:
		p = phrase{
			ja: "「{subject}」を{value}に保つとありますが、{value}は下限でしょうか、上限でしょうか。「{value}以上」か「{value}以下」のどちらかで書いてください。",
			en: "“{subject}” is to stay at {value}: is that the least or the most that is allowed? Write “at least {value}” or “at most {value}”.",
		}
	case lacksDistance:
		p = phrase{
			ja: "「{subject}」は、二つの値がどちらも{value}です。どこからどこまで変えたいのかを教えてください。",
			en: "“{subject}” has {value} at both ends. From where to where should it move?",
		}
	case lacksUnit:
		p = phrase{
			ja: "「{subject}」は、今の値と目標の値の単位が違うため（「{other}」と「{unit}」）比べられません。同じ単位で書いてください。",
			en: "“{subject}” starts in “{other}” and ends in “{unit}”, which cannot be compared. Please write both in the same unit.",
		}
	case lacksPoints:
		p = phrase{
			ja: "「{subject}」の{value}の変化は、今の値に対する割合でしょうか、それともポイントでしょうか。「5%から7%へ」のように、始まりと終わりの値で書いてください。",
			en: "“{subject}” is to change by {value}: of its present value, or in percentage points? Please write both ends, as in “from 5% to 7%”.",
		}
	default:
		p = phrase{
			ja: "{value}が何の数値なのか、読み取れませんでした。「解約率を5%から3%へ」のように、測るものの名前を添えてください。",
			en: "It does not say what {value} measures. Please name it, as in “churn from 5% to 3%”.",
		}
	}
	return p.in(language, words...)
}

// changeText asks for the value that a change starts from.
func (q question) changeText(language string) string {
	if q.unit == "×" {
		return phrase{
			ja: "「{subject}」を今の{value}倍にするとありますが、今の値が書かれていません。今はいくつでしょうか。",
			en: "“{subject}” is to become {value} times what it is today, but you did not say what that is. Where is it now?",
		}.in(language, "{subject}", quoted(q.subject), "{value}", q.amount.String())
	}
	p := phrase{
		ja: "「{subject}」を{value}増やすとありますが、今の値が書かれていません。今はいくつでしょうか。",
		en: "“{subject}” is to rise by {value}, but you did not say from where. What is it today?",
	}
	if q.amount.IsNegative() {
		p = phrase{
			ja: "「{subject}」を{value}減らすとありますが、今の値が書かれていません。今はいくつでしょうか。",
			en: "“{subject}” is to fall by {value}, but you did not say from where. What is it today?",
		}
	}
	return p.in(language, "{subject}", quoted(q.subject), "{value}", amount(q.amount.Abs(), q.unit))
}
