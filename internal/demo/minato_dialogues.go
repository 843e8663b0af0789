package demo

import (
	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/okr"
)

func minatoDialogues() []dialogue {
	return []dialogue{
		{
			objective: "first-30-days",
			title:     "題名と目標値の相談",
			messages: []message{
				{
					at: start(-26, "13:10"), by: aya,
					body: "来期の目標の下書きです。題名がなんとなく弱いのと、90%という数字に自信がないのが気になっています。",
				},
				{
					at: start(-26, "13:11"), request: ai.Feedback,
					body: "下書きを読みました。「30日が分かれ目」という考えが説明にはっきり書かれていて、三つの成果指標もそこに向いています。\n\n" +
						"直したいのは二つです。題名が活動の名前になっていて、何が起きれば成功なのかが読み取れません。" +
						"また、54%から90%への上げ幅は、必ず達成すると約束する目標としては大きすぎるように見えます。題名と目標値の案を添えました。",
					findings: []ai.Finding{
						{
							Check: "title-is-outcome", Severity: ai.Problem, Pointer: "/title",
							Reason: "「改善を進める」は活動で、達成したかどうかを誰も判断できません。",
							Better: "導入から30日で「もう手放せない」と言ってもらう",
						},
						{
							Check: "committed-target-in-reach", Severity: ai.Advice, Pointer: "/key_results/0/target",
							Reason: "必達の目標は、満点の1.0で終えることを前提にします。90%は挑戦値に近い数字です。",
							Better: "目標 75%、挑戦値 80%",
						},
						{
							Check: "description-says-why", Severity: ai.Praise, Pointer: "/description",
							Reason: "なぜ30日なのかが、解約との関係で説明されています。",
						},
					},
					proposal: &proposal{
						title: "導入から30日で「もう手放せない」と言ってもらう",
						keyResults: []keyResultChange{{1, keyResult{
							title: "30日後も使い続けている割合", kind: okr.Metric, unit: "%", baseline: "54", target: "75", stretch: "80", weight: "2",
						}}},
					},
					decision: decision{at: start(-25, "09:30"), by: aya, accepted: true, note: "75%なら約束できます。"},
				},
				{
					at: start(-25, "09:34"), by: aya,
					body: "「もう手放せない」は、先日訪問した工場で本当に言われた言葉です。題名はこれでいきます。",
				},
			},
		},
		{
			objective: "churn-signals",
			title:     "「気づけた」をどう数えるか",
			messages: []message{
				{
					at: ago(15, "10:05"), by: aya,
					body: "お戻しした件、ここで一緒に考えませんか。「早く気づけた」を数えるとしたら、何を数えますか。",
				},
				{
					at: ago(15, "10:40"), by: shota,
					body: "解約になった会社のうち、1か月前の一覧に載っていた割合でしょうか。直近の12件で調べたら、気づけていたのは3件だけでした。目標は7割くらいにしたいです。",
				},
				{
					at: ago(15, "10:41"), request: ai.Draft,
					body: "いまの値が3/12（25%）と分かっているので、そのまま成果指標にできます。一覧をつくる段取りは残し、気づけた割合を主な指標として加える案にしました。" +
						"母数が四半期で十数件と少ないため、1件で数ポイント動くことだけ、ご承知おきください。",
					proposal: &proposal{
						keyResults: []keyResultChange{{0, keyResult{
							title: "1か月前の一覧に載っていた解約の割合", description: "解約の申し出があった会社のうち、その30日前の一覧に載っていたもの。",
							kind: okr.Metric, unit: "%", baseline: "25", target: "70", weight: "2",
						}}},
					},
					decision: decision{at: ago(12, "17:20"), by: shota, accepted: true},
				},
				{
					at: ago(12, "17:35"), by: aya,
					body: "これなら四半期の終わりに、できたかどうかを言い合わずに済みますね。整ったら出し直してください。",
				},
			},
		},
		{
			objective: "cloud-bill",
			title:     "From a complaint to an objective",
			messages: []message{
				{
					at: ago(16, "14:02"), by: rajesh,
					body: "I want to know what each customer costs us, and to stop paying for what nobody uses. Today maybe a third of the bill can be traced to anything at all.",
				},
				{
					at: ago(16, "14:03"), request: ai.Draft,
					body: "Two wishes are in there: to know, and to spend less. The objective is about knowing, so the draft adds one key result for that. " +
						"It takes the third you mention as its baseline; please check that number before anybody relies on it.",
					proposal: &proposal{
						keyResults: []keyResultChange{{0, keyResult{
							title: "Spend that can be traced to a product", kind: okr.Metric, unit: "%", baseline: "33", target: "90",
						}}},
					},
					decision: decision{
						at: ago(15, "11:15"), by: rajesh,
						note: "The third was a guess of mine, and it should not end up in the record as a measurement. I will measure first.",
					},
				},
				{
					at: ago(13, "17:45"), by: rajesh,
					body: "Measured: 38 % of last month’s bill carries a tag that we can use. What do you make of the whole thing now?",
				},
				{
					at: ago(13, "17:46"), request: ai.Feedback,
					body: "The steps are clear, and measuring first was right. But “understand” cannot be seen from outside: nobody could tell at the end whether you do. " +
						"Say what you will be able to do that you cannot do today.",
					findings: []ai.Finding{
						{
							Check: "title-is-outcome", Severity: ai.Problem, Pointer: "/title",
							Reason: "“Understand” names a state of mind, so nobody can say whether it was reached.",
							Better: "Know what every customer costs us",
						},
						{
							Check: "key-results-measure-outcome", Severity: ai.Problem, Pointer: "/key_results/0",
							Reason: "All tags could be in place without anybody knowing more about costs.",
							Better: "Spend that carries a usable tag: from 38 % to 90 %",
						},
					},
					proposal: &proposal{title: "Know what every customer costs us"},
				},
				{
					at: ago(5, "09:50"), by: rajesh,
					body: "I have rewritten the description meanwhile: what matters is to see it the same day. Please look at it again.",
				},
				{
					at: ago(5, "09:51"), request: ai.Feedback,
					body: "The description now says what will be different, and for whom. The title can say the same, and the 38 % that you measured can be a key result. Both are in the suggestion.",
					findings: []ai.Finding{
						{
							Check: "title-is-outcome", Severity: ai.Problem, Pointer: "/title",
							Reason: "The description promises more than the title does.",
							Better: "Know what every customer costs us, the day it happens",
						},
						{
							Check: "description-says-why", Severity: ai.Praise, Pointer: "/description",
							Reason: "It says what is wrong today and what will be possible instead.",
						},
					},
					proposal: &proposal{
						title: "Know what every customer costs us, the day it happens",
						keyResults: []keyResultChange{{0, keyResult{
							title: "Spend that carries a usable tag", kind: okr.Metric, unit: "%", baseline: "38", target: "90", stretch: "98",
						}}},
					},
				},
			},
		},
		{
			objective: "same-quality-by-partners",
			title:     "下書きを見てもらう",
			messages: []message{
				{
					at: ago(8, "11:30"), by: shota,
					body: "まだ書きかけですが、研修だけで良いのか迷っています。30日後の定着率は、代理店経由だと直販より21ポイント低いです。気になるところを教えてください。",
				},
				{
					at: ago(8, "11:31"), request: ai.Feedback,
					body: "題名は、代理店が何をできるようになるかを言えていて良いと思います。迷われているとおり、成果指標が研修の実施だけなので、研修をしても品質がそろわなかった場合に気づけません。" +
						"お書きになった21ポイントの差をそのまま指標にする案を添えました。目標の5ポイントは、直販のばらつきの範囲かどうかを確かめてから決めてください。",
					findings: []ai.Finding{
						{
							Check: "key-results-measure-outcome", Severity: ai.Problem, Pointer: "/key_results/0",
							Reason: "研修をしたことと、同じ品質で導入できたことは別です。",
							Better: "30日後の定着率の、直販との差：21ポイントから5ポイントへ",
						},
						{
							Check: "description-says-why", Severity: ai.Advice, Pointer: "/description",
							Reason: "代理店の導入でいま何が起きているのか、読む人に伝わりません。",
							Better: "九州と東北は代理店にお願いしています。直販より30日後の定着率が低く、理由の多くは引き継ぎの漏れです。",
						},
						{
							Check: "title-is-outcome", Severity: ai.Praise, Pointer: "/title",
							Reason: "何ができるようになるかを言っています。",
						},
					},
					proposal: &proposal{
						keyResults: []keyResultChange{{0, keyResult{
							title: "30日後の定着率の、直販との差", kind: okr.Metric, unit: "ポイント", baseline: "21", target: "5", weight: "2",
						}}},
					},
				},
			},
		},
	}
}
