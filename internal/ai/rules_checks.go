package ai

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// check is one fixed rule: what it is called, how much it matters, what it says and where it applies.
type check struct {
	name     string // stable: findings are stored with it
	severity Severity
	reason   phrase
	better   phrase
	find     func(*review) []spot
}

// checks in the order in which their findings are told: the objective, its key results together, each of them, the state
// of things, and what is right as it is.
var checks = []check{
	// The objective.
	{
		name: "objective-is-outcome", severity: Problem,
		reason: phrase{
			ja: "「{title}」は行うことを述べており、その結果として何が良くなるのかが読み取れません。作業が終わっても、良くなったとは限りません。",
			en: "“{title}” says what you will do, not what will be better for it. Work can be finished without anything having improved.",
		},
		better: phrase{
			ja: "「{title}」が終わったとき、誰の何が良くなっているかを目標にします。たとえば「お客さまが迷わず使い始められる」とし、「{title}」は段階を追う主要な成果に移します。",
			en: "Make the objective what is better, and for whom, once “{title}” is done, such as “New customers find their way from the first day”, and keep “{title}” as a milestone below it.",
		},
		find: func(r *review) []spot { return r.when(r.titleIsTask(), "/title") },
	},
	{
		name: "objective-without-number", severity: Advice,
		reason: phrase{
			ja: "目標の文に数値（{value}）が入っています。目標は目指す姿を、主要な成果は数値を述べると、数値だけが目的になるのを防げます。",
			en: "The objective holds a number ({value}). Let the objective say where you want to be and the key results hold the numbers, so that the number does not become the purpose.",
		},
		better: phrase{
			ja: "{value}は主要な成果に移し、目標には「{value}になると、誰にとって何が良くなるのか」を書きます。",
			en: "Move {value} into a key result, and let the objective say what {value} would mean, and for whom.",
		},
		find: func(r *review) []spot {
			if len(r.numbers) == 0 {
				return nil
			}
			last := r.numbers[len(r.numbers)-1]
			return r.at("/title", "{value}", amount(last.value, last.unit))
		},
	},
	{
		name: "objective-has-one-goal", severity: Advice,
		reason: phrase{
			ja: "「{title}」には目標が二つ以上含まれているようです。片方だけが達成されたとき、評価に迷います。",
			en: "“{title}” seems to hold more than one goal. When only one of them is reached, nobody can say how it went.",
		},
		better: phrase{
			ja: "最も大切な一つに絞るか、二つの目標に分けます。「{joint}」の前と後で分けるとよいでしょう。",
			en: "Keep the one that matters most, or make two objectives: what stands before “{joint}”, and what stands behind it.",
		},
		find: func(r *review) []spot {
			joint := strings.TrimSpace(severalGoals.FindString(r.title))
			return r.when(joint != "", "/title", "{joint}", joint)
		},
	},
	{
		name: "objective-is-specific", severity: Advice,
		reason: phrase{
			ja: "「{title}」だけでは、誰にとって何がどうなれば達成なのかが人によって変わります。",
			en: "“{title}” means something else to each reader: it does not say what is better, or for whom.",
		},
		better: phrase{
			ja: "「{title}」の結果として目に見える姿を書きます。たとえば「初めてのお客さまが、その日のうちに使いこなせる」のように、相手と状態を入れます。",
			en: "Describe what people would see if you managed to “{title}”: who they are and what has become possible, as in “First-time customers get what they came for on the same day”.",
		},
		find: func(r *review) []spot { return r.when(r.titleIsVague(), "/title") },
	},
	{
		name: "objective-title-not-too-short", severity: Advice,
		reason: phrase{
			ja: "目標の文「{title}」は短く、何を目指すのかが伝わりません。",
			en: "The title “{title}” is too short to say what you are after.",
		},
		better: phrase{
			ja: "「{title}」に、対象となる人と、目指す状態を加えます。",
			en: "Add to “{title}” who it is for and what will be different.",
		},
		find: func(r *review) []spot { return r.when(r.titleTooShort(), "/title") },
	},
	{
		name: "objective-title-not-too-long", severity: Advice,
		reason: phrase{
			ja: "目標の文が{n}文字あり、覚えたり口にしたりするには長すぎます。",
			en: "The title is {n} characters long, too long to remember or to say aloud.",
		},
		better: phrase{
			ja: "一息で言える一文にし、残りは説明に移します。最初の部分「{start}」から始められそうです。",
			en: "Make it one sentence that fits in a breath, and move the rest to the description. You could start from “{start}”.",
		},
		find: func(r *review) []spot {
			start := r.title
			if clauses := splitClauses(cut(r.title, titleRunes)); len(clauses) > 0 {
				start = clauses[0]
			}
			return r.when(r.titleTooLong(), "/title", "{n}", strconv.Itoa(len([]rune(r.title))), "{start}", quoted(start))
		},
	},
	{
		name: "objective-is-worded-positively", severity: Advice,
		reason: phrase{
			ja: "「{title}」は避けたいことを述べています。向かう先の姿で書くと、何をすればよいかを考えやすくなります。",
			en: "“{title}” says what should not be. People find their way more easily to something than away from something.",
		},
		better: phrase{
			ja: "「{title}」が実現したとき、代わりに何が当たり前になっているかを書きます。たとえば「解約を防ぐ」は「お客さまが使い続けたくなる」と書けます。",
			en: "Say what will be normal instead once “{title}” holds. “Stop customers leaving”, for example, becomes “Customers have every reason to stay”.",
		},
		find: func(r *review) []spot { return r.when(negative.MatchString(r.title), "/title") },
	},
	{
		name: "objective-goes-beyond-routine", severity: Advice,
		reason: phrase{
			ja: "「{title}」は日々の仕事を続けることのように読めます。期間を区切って目指す変化であれば、何が変わるのかを書きましょう。",
			en: "“{title}” reads like the work of every day. An objective earns its place by what changes within the cycle.",
		},
		better: phrase{
			ja: "この期間で今までと変えることを目標にし、「{title}」は水準を保つ主要な成果（以上・以下）として残します。",
			en: "Make the objective what will change in this cycle, and keep “{title}” as a key result that holds a level (at least, at most).",
		},
		find: func(r *review) []spot { return r.when(usual.MatchString(r.title), "/title") },
	},
	{
		name: "objective-in-plain-words", severity: Advice,
		reason: phrase{
			ja: "「{title}」は略語が中心で、ほかの部署の人には伝わりません。",
			en: "“{title}” is mostly abbreviations, which other teams will not understand.",
		},
		better: phrase{
			ja: "「{title}」の略語をふだんの言葉に置き換え、指標の名前は主要な成果に移します。",
			en: "Say in plain words what “{title}” stands for, and move the names of measures to the key results.",
		},
		find: func(r *review) []spot { return r.when(r.titleIsJargon(), "/title") },
	},
	{
		name: "objective-says-why", severity: Advice,
		reason: phrase{
			ja: "なぜ今「{title}」に取り組むのかが説明にありません。理由が分かると、迷ったときに自分たちで判断できます。",
			en: "The description does not say why “{title}” matters now. Those who know the reason can decide for themselves when in doubt.",
		},
		better: phrase{
			ja: "説明に二、三文で「今、何が起きているか」「{title}によって誰がどう助かるか」を書きます。",
			en: "Add two or three sentences: what is happening today, and who is better off once “{title}” is reached.",
		},
		find: func(r *review) []spot { return r.when(r.title != "" && !r.saysWhy(), "/description") },
	},
	{
		name: "objective-has-owner", severity: Problem,
		reason: phrase{
			ja: "担当者が決まっていません。全員の目標は、誰の目標でもなくなりがちです。",
			en: "Nobody owns this objective. What belongs to everybody is soon nobody's.",
		},
		better: phrase{
			ja: "「{title}」を一人の担当者に任せます。一緒に取り組む人は、主要な成果ごとに担当にできます。",
			en: "Give “{title}” to one person. Others can own single key results.",
		},
		find: func(r *review) []spot { return r.when(strings.TrimSpace(r.Objective.OwnerName) == "", "/owner_name") },
	},
	{
		name: "objective-differs-from-neighbours", severity: Advice,
		reason: phrase{
			ja: "同じ期間に、ほぼ同じ内容の目標「{other}」があります。",
			en: "“{other}” in the same cycle says nearly the same.",
		},
		better: phrase{
			ja: "どちらか一つにまとめるか、「{title}」が「{other}」と何が違うのかが分かるように書き分けます。",
			en: "Merge the two, or word “{title}” so that it shows what sets it apart from “{other}”.",
		},
		find: func(r *review) []spot {
			n, ok := r.neighbour()
			return r.when(ok, "/title", "{other}", quoted(n.Title))
		},
	},
	{
		name: "objective-supports-parent", severity: Advice,
		reason: phrase{
			ja: "上位の目標「{parent}」と共通する言葉がなく、どう貢献するのかが読み取れません。",
			en: "Nothing in the wording links this objective to the one it contributes to, “{parent}”.",
		},
		better: phrase{
			ja: "説明に「{title}によって、{parent}に…の面で貢献する」のように、つながりを一文で書きます。",
			en: "Add a sentence to the description that starts like this: “{title}” helps “{parent}” because …",
		},
		find: func(r *review) []spot {
			shares, known := r.sharesWithParent()
			return r.when(known && !shares, "/description", "{parent}", r.parentTitle())
		},
	},

	// The key results together.
	{
		name: "key-results-exist", severity: Problem,
		reason: phrase{
			ja: "主要な成果がありません。このままでは「{title}」に近づいているかを誰も判断できません。",
			en: "There are no key results, so nobody can tell whether “{title}” is getting closer.",
		},
		better: phrase{
			ja: "「{title}」が実現したと分かる数値を二つか三つ選び、今の値と目標の値を書きます。書き方の例：「更新を決めたお客さまの割合を80%から88%に上げる」",
			en: "Choose two or three numbers that would show that “{title}” has come true, each with today's value and a target, as in “Share of customers who renew: from 80% to 88%”.",
		},
		find: func(r *review) []spot { return r.when(len(r.Objective.KeyResults) == 0, "/key_results") },
	},
	{
		name: "key-results-at-least-two", severity: Advice,
		reason: phrase{
			ja: "主要な成果が一つだけです。一つの数値だけを追うと、ほかが犠牲になっても気づけません。",
			en: "There is only one key result. Who follows a single number does not see what it costs elsewhere.",
		},
		better: phrase{
			ja: "「{kr}」と並べて、その質や副作用を見る成果を一つ加えます。",
			en: "Beside “{kr}”, add one that watches its quality or its side effects.",
		},
		find: func(r *review) []spot {
			krs := r.Objective.KeyResults
			if len(krs) != 1 {
				return nil
			}
			return r.at("/key_results", "{kr}", quoted(krs[0].Title))
		},
	},
	{
		name: "key-results-at-most-five", severity: Advice,
		reason: phrase{
			ja: "主要な成果が{n}個あります。多いほど一つひとつへの注意が薄れます。",
			en: "There are {n} key results. The more there are, the less attention each one gets.",
		},
		better: phrase{
			ja: "「{title}」の達成を最もよく表す三つから五つに絞り、残りは日々の指標として見ます。",
			en: "Keep the three to five that say most about “{title}”, and watch the others as everyday figures.",
		},
		find: func(r *review) []spot {
			n := len(r.Objective.KeyResults)
			return r.when(n > 5, "/key_results", "{n}", strconv.Itoa(n))
		},
	},
	{
		name: "key-results-show-effect", severity: Advice,
		reason: phrase{
			ja: "主要な成果がすべて作業の段階です。すべて終えても、効果があったかどうかは分かりません。",
			en: "All key results are steps of work. All of them can be done without anybody knowing whether it helped.",
		},
		better: phrase{
			ja: "「{kr}」を終えると早めに動き始める数値を一つ選び、今の値と目標の値を加えます。",
			en: "Add one number that begins to move soon after “{kr}”, with today's value and a target.",
		},
		find: func(r *review) []spot {
			krs := r.Objective.KeyResults
			steps := slices.DeleteFunc(slices.Clone(krs), func(kr KeyResult) bool { return kr.Kind != "milestone" })
			if len(krs) == 0 || len(steps) < len(krs) {
				return nil
			}
			return r.at("/key_results", "{kr}", quoted(krs[0].Title))
		},
	},
	{
		name: "key-results-guard-quality", severity: Advice,
		reason: phrase{
			ja: "主要な成果がすべて量を増やすものです。量を追うあまり、質が落ちても気づけません。",
			en: "All key results ask for more of something. Nothing would show if quality fell meanwhile.",
		},
		better: phrase{
			ja: "「{kr}」が増えても質が保たれていることを示す成果を一つ加えます。たとえば「満足と答えた割合90%以上を保つ」のように、水準で書きます。",
			en: "Add one that shows that quality holds while “{kr}” grows, such as “Share of satisfied customers: stays at 90% or more”.",
		},
		find: func(r *review) []spot {
			krs := r.Objective.KeyResults
			if len(krs) < 2 || slices.ContainsFunc(krs, func(kr KeyResult) bool { return !volume(kr) }) {
				return nil
			}
			return r.at("/key_results", "{kr}", quoted(krs[0].Title))
		},
	},
	{
		name: "key-result-weights-are-even", severity: Advice,
		reason: phrase{
			ja: "「{kr}」が重みの{share}を占めており、ほかの主要な成果は進んでもほとんど表れません。",
			en: "“{kr}” carries {share} of the weight, so that progress in the others hardly shows.",
		},
		better: phrase{
			ja: "重みをそろえるか、本当に「{kr}」だけが大切なら、ほかの主要な成果を外します。",
			en: "Even out the weights, or drop the others if “{kr}” is really all that counts.",
		},
		find: (*review).unevenWeight,
	},
	{
		name: "key-results-differ", severity: Problem,
		reason: phrase{
			ja: "「{kr}」と「{other}」はほぼ同じ内容で、同じ進みが二重に数えられます。",
			en: "“{kr}” and “{other}” say nearly the same, so the same progress would count twice.",
		},
		better: phrase{
			ja: "「{kr}」を外すか、何が違うのかが分かる名前にします。",
			en: "Drop “{kr}”, or name it so that the difference shows.",
		},
		find: (*review).repeated,
	},

	// Each key result.
	{
		name: "key-result-is-measurable", severity: Problem,
		reason: phrase{
			ja: "「{kr}」には数値も段階もなく、どこまで進んだかを測れません。",
			en: "“{kr}” has neither a number nor steps, so nobody can say how far it is.",
		},
		better: phrase{
			ja: "「{kr}」の結果として変わる数値を選び、今の値と目標の値を書きます。数値にしにくければ、三つから五つの段階に分けます。",
			en: "Choose the number that changes because of “{kr}” and give today's value and a target. If no number fits, divide it into three to five steps.",
		},
		find: func(r *review) []spot {
			return r.each("", func(kr KeyResult) bool {
				return kr.Kind == "milestone" && len(kr.Steps) <= 1 && !hasNumber(kr.Title)
			}, nil)
		},
	},
	{
		name: "milestone-has-several-steps", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は段階が足りず、終わるまで進みが0%のままに見えます。",
			en: "“{kr}” has too few steps: it will show 0% until all is done.",
		},
		better: phrase{
			ja: "題名にある数値を今の値と目標の値に分けて数値で測るか、「{kr}」を三つから五つの段階に分けます。",
			en: "Measure the number in its title from today's value to a target, or divide “{kr}” into three to five steps.",
		},
		find: func(r *review) []spot {
			return r.each("steps", func(kr KeyResult) bool {
				return kr.Kind == "milestone" && len(kr.Steps) <= 1 && hasNumber(kr.Title)
			}, nil)
		},
	},
	{
		name: "milestone-has-few-steps", severity: Advice,
		reason: phrase{
			ja: "「{kr}」には段階が{n}個あり、作業の一覧になっています。",
			en: "“{kr}” has {n} steps; that is a list of tasks.",
		},
		better: phrase{
			ja: "終わったことを誰もが確かめられる節目を三つから五つ残し、細かな作業は別に管理します。",
			en: "Keep the three to five turning points that anybody can verify, and track the tasks elsewhere.",
		},
		find: func(r *review) []spot {
			return r.each("steps", func(kr KeyResult) bool { return kr.Kind == "milestone" && len(kr.Steps) > 8 },
				func(kr KeyResult) []string { return []string{"{n}", strconv.Itoa(len(kr.Steps))} })
		},
	},
	{
		name: "milestone-spreads-weight", severity: Advice,
		reason: phrase{
			ja: "「{kr}」の重みは最後の段階「{step}」に偏っており、期間の終わりまで進みが見えません。",
			en: "Nearly all the weight of “{kr}” lies on its last step, “{step}”, so no progress shows until the end.",
		},
		better: phrase{
			ja: "「{first}」にも重みを置き、途中の進みが表れるようにします。",
			en: "Give “{first}” a share too, so that progress shows on the way.",
		},
		find: func(r *review) []spot {
			return r.each("steps", lastStepHeavy, func(kr KeyResult) []string {
				return []string{"{step}", quoted(kr.Steps[len(kr.Steps)-1].Title), "{first}", quoted(kr.Steps[0].Title)}
			})
		},
	},
	{
		name: "key-result-is-outcome", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は行うことであって、その効果ではありません。",
			en: "“{kr}” is something to do, not its effect.",
		},
		better: phrase{
			ja: "「{kr}」によって変わる数値の名前を題名にします。",
			en: "Name the number that changes because of “{kr}”.",
		},
		find: func(r *review) []spot {
			return r.each("title", func(kr KeyResult) bool {
				return isTask(tidy(kr.Title)) && (kr.Kind != "milestone" || len(kr.Steps) == 1)
			}, nil)
		},
	},
	{
		name: "key-result-has-baseline", severity: Problem,
		reason: phrase{
			ja: "「{kr}」に今の値がありません。始まりの値がないと、進みを計算できません。",
			en: "“{kr}” has no value of today. Without a start there is no progress to compute.",
		},
		better: phrase{
			ja: "今の値を調べて書きます。まだ測っていなければ、最初の二週間で測ることから始めます。目標は{target}のままで構いません。",
			en: "Find out today's value; if nobody measures it yet, make that the work of the first two weeks. The target ({target}) can stay.",
		},
		find: func(r *review) []spot {
			return r.each("baseline", func(kr KeyResult) bool { return kr.Kind == "metric" && kr.Baseline == nil }, nil)
		},
	},
	{
		name: "key-result-has-target", severity: Problem,
		reason: phrase{
			ja: "「{kr}」に目標の値がなく、いつ達成したと言えるのかが分かりません。",
			en: "“{kr}” has no target, so nobody knows when it is reached.",
		},
		better: phrase{
			ja: "今の値（{baseline}）から、期間の終わりにいくつになっていれば成功かを書きます。",
			en: "Say what value would be a success at the end of the cycle, starting from {baseline}.",
		},
		find: func(r *review) []spot {
			return r.each("target", func(kr KeyResult) bool { return kr.Kind == "metric" && kr.Target == nil }, nil)
		},
	},
	{
		name: "key-result-asks-for-change", severity: Problem,
		reason: phrase{
			ja: "「{kr}」の目標{target}は今の値{baseline}とほとんど変わりません。",
			en: "The target of “{kr}”, {target}, is hardly different from today's {baseline}.",
		},
		better: phrase{
			ja: "変えたいのであれば目標を{baseline}からはっきり離し、保ちたいのであれば「{target}以上」「{target}以下」のように水準を保つ種類に変えます。",
			en: "If it is to move, set a target clearly away from {baseline}; if it is to stay, make it a threshold such as “at least {target}” or “at most {target}”.",
		},
		find: func(r *review) []spot { return r.each("target", trivialChange, nil) },
	},
	{
		name: "key-result-stretches", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は{baseline}から{target}への小さな変化です。挑戦的な目標としては、普段どおりでも届いてしまいます。",
			en: "“{kr}” moves from {baseline} to {target} only. For an aspirational objective that may happen by itself.",
		},
		better: phrase{
			ja: "七割ほど届けば上出来と言える高さに上げます。{target}は、確実に果たす目標のほうに向いています。",
			en: "Aim so high that reaching seventy per cent of the way would be a good result; {target} suits a committed objective better.",
		},
		find: func(r *review) []spot {
			return r.each("target", func(kr KeyResult) bool { return r.Objective.Kind == "aspirational" && smallChange(kr) }, nil)
		},
	},
	{
		name: "key-result-within-reach", severity: Advice,
		reason: phrase{
			ja: "「{kr}」を{baseline}から{target}へと、十倍以上変えることを約束する形になっています。必ず果たす目標としては大きすぎます。",
			en: "“{kr}” promises a tenfold change, from {baseline} to {target}. That is a lot for a committed objective.",
		},
		better: phrase{
			ja: "約束できる値を目標にし、{target}は挑戦値に置きます。",
			en: "Make the target what you can promise, and keep {target} as the stretch.",
		},
		find: func(r *review) []spot {
			return r.each("target", func(kr KeyResult) bool { return r.Objective.Kind == "committed" && tenfold(kr) }, nil)
		},
	},
	{
		name: "key-result-baseline-is-known", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は0%から始まっています。実際に0%なのか、まだ測っていないだけなのかが分かりません。",
			en: "“{kr}” starts at 0%. Is it really 0%, or has nobody measured it yet?",
		},
		better: phrase{
			ja: "実際の値を調べて0%と置き換えます。調べ終えるまで{target}は仮の目標とします。",
			en: "Measure it and replace the 0%; until then treat {target} as provisional.",
		},
		find: func(r *review) []spot {
			return r.each("baseline", func(kr KeyResult) bool {
				return kr.Kind == "metric" && kr.Unit == "%" && kr.Baseline != nil && kr.Baseline.IsZero() && kr.Target != nil && kr.Target.IsPositive()
			}, nil)
		},
	},
	{
		name: "key-result-percent-in-range", severity: Problem,
		reason: phrase{
			ja: "「{kr}」は割合なのに100%を超える値が入っています。",
			en: "“{kr}” is a share, yet goes above 100%.",
		},
		better: phrase{
			ja: "全体の中の割合なら100%以下に直します。前年比や達成率のように100%を超えるものなら、そうと分かる題名にします。",
			en: "If it is a share of a whole, correct it to 100% or less; if it compares with last year or a plan, say so in the title.",
		},
		find: func(r *review) []spot {
			return r.each("", percentOutOfRange, nil)
		},
	},
	{
		name: "key-result-has-unit", severity: Advice,
		reason: phrase{
			ja: "「{kr}」に単位がなく、数値の意味が人によって変わります。",
			en: "“{kr}” has no unit, so its numbers can be read in different ways.",
		},
		better: phrase{
			ja: "件、人、円、時間、%など、「{kr}」を数える単位を書きます。",
			en: "Say what “{kr}” is counted in: customers, hours, %, a currency.",
		},
		find: func(r *review) []spot {
			return r.each("unit", func(kr KeyResult) bool {
				return kr.Kind != "milestone" && strings.TrimSpace(kr.Unit) == "" && !unitless.MatchString(tidy(kr.Title))
			}, nil)
		},
	},
	{
		name: "key-result-unit-matches-title", severity: Problem,
		reason: phrase{
			ja: "「{kr}」の題名は「{named}」で測るように読めますが、単位は「{unit}」です。",
			en: "The title “{kr}” measures in “{named}”, but its unit is “{unit}”.",
		},
		better: phrase{
			ja: "題名と単位のどちらかを直し、「{named}」か「{unit}」にそろえます。",
			en: "Correct one of them, so that both say “{named}” or both say “{unit}”.",
		},
		find: func(r *review) []spot {
			return r.each("unit", otherUnit, func(kr KeyResult) []string { return []string{"{named}", unitInTitle(kr.Title)} })
		},
	},
	{
		name: "threshold-has-band", severity: Problem,
		reason: phrase{
			ja: "「{kr}」の範囲に当てはまる値がありません。下限も上限もないか、下限が上限より大きくなっています。",
			en: "No value can satisfy “{kr}”: it has neither a floor nor a ceiling, or the floor lies above the ceiling.",
		},
		better: phrase{
			ja: "保ちたい水準を「以上」か「以下」で書きます。両方を使うなら、下限は上限より小さくします。",
			en: "Give the level to hold as “at least” or “at most”; with both, the floor must lie below the ceiling.",
		},
		find: func(r *review) []spot {
			return r.each("at_least", func(kr KeyResult) bool { return kr.Kind == "threshold" && !bandHolds(kr) }, nil)
		},
	},
	{
		name: "threshold-has-tolerance", severity: Advice,
		reason: phrase{
			ja: "「{kr}」には許容幅がなく、わずかに外れただけで進みが0%になります。",
			en: "“{kr}” has no tolerance: the smallest step outside counts as 0%.",
		},
		better: phrase{
			ja: "どれだけ外れたら手を打つかを許容幅に書きます。{limit}に対してなら、たとえば{tolerance}です。",
			en: "Say how far off would call for action; for {limit} that might be {tolerance}.",
		},
		find: func(r *review) []spot {
			return r.each("tolerance", func(kr KeyResult) bool {
				return kr.Kind == "threshold" && bandHolds(kr) && (kr.Tolerance == nil || !kr.Tolerance.IsPositive())
			}, toleranceExample)
		},
	},

	// The state of things.
	{
		name: "cycle-is-not-over", severity: Problem,
		reason: phrase{
			ja: "期間「{cycle}」は{ends}に終わっていますが、目標はまだ閉じられていません。",
			en: "The cycle “{cycle}” ended on {ends}, but the objective is still open.",
		},
		better: phrase{
			ja: "結果を記録して目標を閉じるか、続けるのであれば次の期間に引き継ぎます。",
			en: "Record the result and close the objective, or carry it over to the next cycle.",
		},
		find: func(r *review) []spot {
			c := r.Objective.Cycle
			return r.when(!c.EndsOn.IsZero() && r.Today.After(c.EndsOn) && r.Objective.State != "closed", "/cycle/ends_on",
				"{cycle}", quoted(c.Name), "{ends}", day(r.language, c.EndsOn))
		},
	},
	{
		name: "cycle-has-begun", severity: Advice,
		reason: phrase{
			ja: "期間「{cycle}」は{starts}に始まります。それまでチェックインはできません。",
			en: "The cycle “{cycle}” begins on {starts}; there are no check-ins before that.",
		},
		better: phrase{
			ja: "始まるまでに、主要な成果の今の値を測り、見直しを終えておきます。",
			en: "Use the time until then to measure where the key results stand and to finish the review.",
		},
		find: func(r *review) []spot {
			c := r.Objective.Cycle
			return r.when(!c.StartsOn.IsZero() && r.Today.Before(c.StartsOn), "/cycle/starts_on",
				"{cycle}", quoted(c.Name), "{starts}", day(r.language, c.StartsOn))
		},
	},
	{
		name: "deadline-within-cycle", severity: Problem,
		reason: phrase{
			ja: "期限として書かれている「{date}」は、この目標の期間（{starts}から{ends}まで）の外にあります。",
			en: "The date “{date}” lies outside the objective's cycle ({starts} to {ends}).",
		},
		better: phrase{
			ja: "{ends}までに確かめられる途中の成果に書き換えるか、その期限を含む期間に目標を移します。",
			en: "Word it as what can be seen by {ends}, or move the objective to the cycle that holds the date.",
		},
		find: (*review).strayDeadlines,
	},
	{
		name: "key-result-is-checked-in", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は{days}日間チェックインがありません。古い数値では、早めに手を打てません。",
			en: "“{kr}” has had no check-in for {days} days. Old numbers leave no time to act.",
		},
		better: phrase{
			ja: "今の値と自信度を入力します。変わっていなければ、変わっていないことを記録します。",
			en: "Enter today's value and your confidence; if nothing has moved, record just that.",
		},
		find: func(r *review) []spot {
			return r.each("", func(kr KeyResult) bool { return r.running() && r.silentDays(kr) > stale },
				func(kr KeyResult) []string { return []string{"{days}", strconv.Itoa(r.silentDays(kr))} })
		},
	},
	{
		name: "key-result-explains-low-confidence", severity: Advice,
		reason: phrase{
			ja: "「{kr}」の自信度は10段階で{confidence}ですが、何が妨げになっているのかが書かれていません。",
			en: "Confidence in “{kr}” is {confidence} of 10, but nothing says what stands in the way.",
		},
		better: phrase{
			ja: "「{kr}」の説明に、妨げになっていることと、誰の助けが必要かを一文ずつ書きます。",
			en: "Add a sentence to “{kr}” on what stands in the way, and one on whose help is needed.",
		},
		find: func(r *review) []spot {
			return r.each("description", func(kr KeyResult) bool {
				return kr.Confidence != nil && *kr.Confidence <= 3 && strings.TrimSpace(kr.Description) == ""
			}, func(kr KeyResult) []string { return []string{"{confidence}", strconv.Itoa(*kr.Confidence)} })
		},
	},
	{
		name: "key-result-still-asks-for-more", severity: Advice,
		reason: phrase{
			ja: "「{kr}」は期間の途中で目標の{target}に届いています。",
			en: "“{kr}” has reached its target of {target} well before the end of the cycle.",
		},
		better: phrase{
			ja: "その先の挑戦値を加えるか、{current}を保つことに切り替えます。",
			en: "Add a stretch beyond it, or turn to holding {current}.",
		},
		find: func(r *review) []spot {
			return r.each("stretch", r.reached, func(kr KeyResult) []string { return []string{"{current}", amountOf(r.language, kr.Current, kr.Unit)} })
		},
	},

	// What is right as it is.
	{
		name: "objective-is-well-worded", severity: Praise,
		reason: phrase{
			ja: "「{title}」は、作業や数値ではなく、目指す姿として書かれています。",
			en: "“{title}” describes where you want to be, without tasks or numbers.",
		},
		find: func(r *review) []spot { return r.when(r.goodTitle(), "/title") },
	},
	{
		name: "objective-gives-reason", severity: Praise,
		reason: phrase{
			ja: "説明があり、取り組む理由を読む人に伝えられます。",
			en: "There is a description that can tell readers why it matters.",
		},
		find: func(r *review) []spot { return r.when(r.saysWhy(), "/description") },
	},
	{
		name: "key-results-are-few", severity: Praise,
		reason: phrase{
			ja: "主要な成果は{n}個で、一つひとつに目が届きます。",
			en: "With {n} key results, each one gets attention.",
		},
		find: func(r *review) []spot {
			n := len(r.Objective.KeyResults)
			return r.when(n >= 2 && n <= 5, "/key_results", "{n}", strconv.Itoa(n))
		},
	},
	{
		name: "key-results-are-measurable", severity: Praise,
		reason: phrase{
			ja: "すべての主要な成果が測れる形になっています。",
			en: "Every key result can be measured.",
		},
		find: func(r *review) []spot {
			krs := r.Objective.KeyResults
			return r.when(len(krs) > 0 && !slices.ContainsFunc(krs, func(kr KeyResult) bool { return !measurable(kr) }), "/key_results")
		},
	},
	{
		name: "key-results-are-balanced", severity: Praise,
		reason: phrase{
			ja: "変えるもの（「{kr}」）と保つもの（「{guard}」）の両方があり、片方を追って他方を失うことを防げます。",
			en: "There is something to change (“{kr}”) and something to hold (“{guard}”), so that one is not won at the other's cost.",
		},
		find: func(r *review) []spot {
			krs := r.Objective.KeyResults
			metric := slices.IndexFunc(krs, func(kr KeyResult) bool { return kr.Kind == "metric" })
			guard := slices.IndexFunc(krs, func(kr KeyResult) bool { return kr.Kind == "threshold" && bandHolds(kr) })
			if metric < 0 || guard < 0 {
				return nil
			}
			return r.at("/key_results", "{kr}", quoted(krs[metric].Title), "{guard}", quoted(krs[guard].Title))
		},
	},
	{
		name: "objective-fits-parent", severity: Praise,
		reason: phrase{
			ja: "上位の目標「{parent}」と言葉がつながっています。",
			en: "Its wording links to the objective it contributes to, “{parent}”.",
		},
		find: func(r *review) []spot {
			shares, known := r.sharesWithParent()
			return r.when(known && shares, "", "{parent}", r.parentTitle())
		},
	},
	{
		name: "key-results-are-checked-in", severity: Praise,
		reason: phrase{
			ja: "すべての主要な成果に、この二週間のチェックインがあります。",
			en: "Every key result was checked in within the last two weeks.",
		},
		find: func(r *review) []spot {
			return r.when(r.running() && r.checkedIn(14*24*time.Hour), "/key_results")
		},
	},
}

// toleranceExample suggests a tenth of the limit, and for a share a tenth of what it leaves free, since 99.9 % with a
// tolerance of 10 % would be no limit at all.
func toleranceExample(kr KeyResult) []string {
	limit := kr.AtLeast
	if limit == nil {
		limit = kr.AtMost
	}
	room := limit.Abs()
	if left := decimal.NewFromInt(100).Sub(*limit); kr.Unit == "%" && left.IsPositive() && left.LessThan(room) {
		room = left.Mul(decimal.NewFromInt(5))
	}
	tolerance := room.Shift(-1)
	if tolerance.IsZero() {
		tolerance = decimal.New(1, 0)
	}
	return []string{"{limit}", amount(*limit, kr.Unit), "{tolerance}", amount(tolerance, kr.Unit)}
}

func (r *review) parentTitle() string {
	if r.Parent == nil {
		return ""
	}
	return quoted(r.Parent.Title)
}
