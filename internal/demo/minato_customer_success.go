package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

func minatoCustomerSuccess() []objective {
	return []objective{
		{
			name:        "first-30-days",
			team:        customerSuccess,
			owner:       aya,
			title:       "オンボーディングの改善を進める",
			description: "導入して30日のあいだに朝礼で使われ始めた工場は、その後ほとんど解約していません。逆に30日を過ぎて開かれなくなった画面は、もう開かれません。",
			kind:        okr.Committed,
			parent:      "daily-tool", parentKeyResult: 1,
			keyResults: []keyResult{
				{
					title: "30日後も使い続けている割合", kind: okr.Metric, unit: "%", baseline: "54", target: "90", weight: "2",
					track: track{
						day: time.Friday, clock: "16:45",
						values:     "55 56 58 60 61 63 65 67 69 71 73 75",
						confidence: "6 6 6 7 7 7 7 8 8 8 8 9",
						notes: map[int]string{
							3: "導入の翌週に一度電話するだけで、立ち上がりがかなり違います。",
							6: "化学系のお客様だけ伸びません。防爆エリアでタブレットが使えないためです。",
							8: "防爆エリア向けに、休憩所へ画面を置いてもらう方法を2社で試しています。",
						},
					},
				},
				{
					title: "初回設定にかかる日数", kind: okr.Metric, unit: "日", baseline: "12", target: "5", owner: shota,
					track: track{
						day: time.Friday, clock: "16:55",
						values:     "12 11.5 11 10.5 10 9.5 8.8 7.9 7 6.4 5.8 5.2",
						confidence: "6 6 6 6 6 6 7 7 7 7 8 8",
						notes: map[int]string{
							4: "待ち時間のほとんどは、お客様の情報システム部門の承認待ちでした。申請書のひな形をつくります。",
							8: "ひな形を使った5社は平均6日で終わりました。",
						},
					},
				},
				{
					title: "導入の手順を作り直す", kind: okr.Milestone,
					steps: []step{
						{"うまくいかなかった導入10件を聞き取る", "2"},
						{"営業からの引き継ぎ票をそろえる", "1"},
						{"新しい手順書を書く", "3"},
						{"3社で試す", "3"},
						{"全社に広げる", "1"},
					},
					track: track{
						day: time.Friday, clock: "17:05",
						values:     "0 1 1 2 2 2 3 3 4 4 4 5",
						confidence: "7 7 7 7 7 7 8 8 8 8 8 9",
						notes:      map[int]string{2: "聞き取りは10件終わりました。8件で、営業と私たちの説明が食い違っていました。"},
					},
				},
			},
			life: []act{
				drafted(start(-29, "11:20")), submitted(start(-14, "17:30")), approved(misaki, start(-12, "10:10")),
			},
			comments: []comment{
				{start(-13, "18:05"), misaki, "題名が「進める」から「言ってもらう」に変わって、何が起きれば成功なのか分かるようになりました。これで進めましょう。"},
				{start(24, "17:50"), shota, "申請書のひな形、情報システム部門の方に好評です。「他のサービスもこうしてほしい」と言われました。"},
				{start(45, "12:30"), lan, "ベトナムの工場ではスマートフォンで見る人が多いです。手順書の写真を縦向きにしてもらえると助かります。"},
				{start(45, "13:10"), aya, "次の版から縦向きも入れます。気づいていませんでした、ありがとう。"},
			},
		},
		{
			name:        "answers-first",
			team:        customerSuccess,
			owner:       shota,
			title:       "問い合わせる前に、答えが見つかるようにする",
			description: "同じ質問に何度も答えるのをやめ、その時間を訪問に回します。",
			kind:        okr.Aspirational,
			parent:      "first-30-days",
			keyResults: []keyResult{
				{
					title: "ヘルプだけで解決した割合", kind: okr.Metric, unit: "%", baseline: "31", target: "50",
					track: track{
						day: time.Thursday, clock: "18:00",
						values:     "31 32 33 34 34 35 36 36 37 38 38 39",
						confidence: "6 6 6 5 5 4 4 3 3 3 2 2",
						notes: map[int]string{
							4: "記事は読まれているのに、そのあとで問い合わせが来ます。書き方の問題かもしれません。",
							6: "検索で使われる言葉が記事の言葉と違いました。現場では「異音」ではなく「うなり」と呼ばれています。",
							8: "言葉をそろえた記事だけ見ると42%です。全体に広げるには時間が足りません。",
						},
					},
				},
				{
					title: "公開したヘルプ記事", kind: okr.Metric, unit: "本", baseline: "0", target: "60",
					track: track{
						day: time.Thursday, clock: "18:10",
						values:     "3 7 12 16 20 25 29 34 38 43 48 52",
						confidence: "8 8 8 8 8 8 8 7 7 7 7 7",
					},
				},
				{
					title: "1社あたりの問い合わせ", kind: okr.Metric, unit: "件/月", baseline: "4.2", target: "2.5",
					track: track{
						day: time.Thursday, clock: "18:15",
						values:     "4.2 4.1 4.1 4.0 3.9 3.8 3.6 3.5 3.4 3.3 3.2 3.1",
						confidence: "6 6 6 6 6 6 6 5 5 5 5 5",
					},
				},
			},
			life: []act{
				drafted(start(-20, "14:15")), submitted(start(-11, "16:00")), approved(aya, start(-9, "10:45")),
			},
			comments: []comment{
				{start(43, "18:40"), aya, "記事の本数より、「うなり」の発見のほうがずっと価値があります。残りの期間は新しい記事より書き直しに使ってもいいと思います。"},
				{start(44, "09:10"), shota, "そう言ってもらえると助かります。本数の目標は届かなくなりますが、書き直しを優先します。"},
				{start(44, "09:14"), aya, "それで大丈夫です。理由はチェックインに残しておいてください。"},
			},
		},
		{
			name:        "vietnamese",
			team:        customerSuccess,
			owner:       lan,
			title:       "ベトナムのお客様に、ベトナム語で答える",
			description: "ハイフォンとドンナイの11工場が対象です。いまは日本語の回答を現地の通訳さんが訳しており、一日遅れます。",
			kind:        okr.Committed,
			visibility:  okr.VisibleToTeam,
			parent:      "first-30-days",
			keyResults: []keyResult{
				{
					title: "ベトナム語での一次回答", kind: okr.Metric, unit: "%", baseline: "20", target: "90",
					track: track{
						day: time.Wednesday, clock: "11:05", quiet: 16,
						values:     "24 30 38 45 50 57 63 68 74 80 85 88",
						confidence: "7 7 7 8 8 8 8 8 8 8 8 9",
						notes:      map[int]string{3: "定型文を40個つくりました。通訳のHoaさんに確認してもらっています。"},
					},
				},
				{
					title: "ベトナム語のヘルプ記事", kind: okr.Metric, unit: "本", baseline: "0", target: "25",
					track: track{
						day: time.Wednesday, clock: "11:15", quiet: 16,
						values:     "0 2 4 6 8 10 12 14 16 18 21 23",
						confidence: "6 6 6 6 6 6 6 6 6 6 7 7",
					},
				},
			},
			life: []act{
				drafted(start(-19, "10:40")), submitted(start(-10, "13:30")), approved(aya, start(-9, "11:00")),
			},
			comments: []comment{
				{ago(3, "17:20"), aya, "Lanさんは来週までハノイに出張中です。戻ったら、まとめてチェックインをお願いします。"},
			},
		},
		{
			name:       "home-on-time",
			team:       customerSuccess,
			owner:      aya,
			title:      "残業を月20時間以内に収め、休みを取れるチームにする",
			kind:       okr.Committed,
			visibility: okr.VisibleToTeam,
			keyResults: []keyResult{
				{
					title: "一人あたりの残業", kind: okr.Threshold, unit: "時間/月", atMost: "20", tolerance: "15",
					track: track{
						day: time.Friday, clock: "17:40",
						values:     "31 30 28 27 25 24 23 22 21 20 19 19",
						confidence: "6 6 6 6 7 7 7 7 8 8 9 9",
						notes:      map[int]string{4: "朝の当番を3人から4人にして、終わりの時刻をはっきりさせました。"},
					},
				},
				{
					title: "有給休暇の取得", kind: okr.Metric, unit: "日/人", baseline: "0", target: "4",
					track: track{
						day: time.Friday, clock: "17:45",
						values:     "0 0.3 0.6 1.0 1.2 1.5 2.0 2.3 2.7 3.0 3.3 3.7",
						confidence: "7 7 7 7 7 7 7 7 7 7 8 8",
					},
				},
			},
			life: []act{
				drafted(start(-18, "18:20")), submitted(start(-10, "17:10")), approved(misaki, start(-9, "08:50")),
			},
		},
		{
			name:        "churn-signals",
			team:        customerSuccess,
			owner:       shota,
			title:       "解約の予兆に、1か月早く気づく",
			description: "解約の連絡が来てからでは、できることがほとんどありません。",
			kind:        okr.Aspirational,
			parent:      "daily-tool", parentKeyResult: 2,
			keyResults: []keyResult{
				{
					title: "予兆の仕組みをつくる", kind: okr.Milestone,
					steps: []step{
						{"過去2年の解約を調べる", "1"},
						{"予兆の候補を決める", "1"},
						{"毎週の一覧にする", "1"},
					},
				},
			},
			life: []act{
				drafted(ago(24, "15:25")), submitted(ago(21, "18:05")),
				returned(aya, ago(18, "09:40"), "一覧ができたことと、早く気づけたことは別だと思います。気づけたかどうかが分かる数字を一つ入れてもらえますか。"),
				submitted(ago(8, "17:15")),
			},
			comments: []comment{
				{ago(8, "17:22"), shota, "ご指摘のとおり数字を入れ直しました。直近の解約12件のうち、1か月前に気づけていたのは3件だけでした。"},
			},
		},
		{
			name:        "same-quality-by-partners",
			team:        customerSuccess,
			owner:       shota,
			title:       "代理店でも同じ品質で導入できるようにする",
			description: "九州と東北は代理店にお願いしています。",
			kind:        okr.Committed,
			parent:      "first-30-days",
			keyResults: []keyResult{
				{
					title: "代理店向けの研修をする", kind: okr.Milestone,
					steps: []step{{"研修資料をつくる", "1"}, {"2社で研修をする", "1"}},
				},
			},
			life: []act{drafted(ago(12, "16:35"))},
		},
	}
}
