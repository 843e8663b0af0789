package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

func minatoQuality() []objective {
	return []objective{
		{
			name:        "found-before-shipping",
			team:        quality,
			owner:       makoto,
			title:       "お客様に届く前に、不良を見つける",
			description: "前の四半期で軸受の不具合は減りました。残りはシール面です。人の目だけに頼らない検査に変えます。",
			kind:        okr.Committed,
			parent:      "daily-tool", parentKeyResult: 2,
			keyResults: []keyResult{
				{
					title: "出荷後の不具合", kind: okr.Metric, unit: "件/月", baseline: "25", target: "12", stretch: "8", weight: "2",
					track: track{
						day: time.Wednesday, clock: "13:05",
						values:     "25 24 23 22 21 20 18 17 16 15 14 13",
						confidence: "6 6 6 6 6 7 7 7 7 7 7 7",
						notes: map[int]string{
							4: "シール面の傷は、洗浄後の置き方でついていました。治具を変えます。",
							7: "新しい治具が全ラインに入りました。",
							8: "治具のあとに組んだ分からは、シール面の不具合がまだ1件も出ていません。",
						},
					},
				},
				{
					title: "工程内不良率", kind: okr.Threshold, unit: "%", atMost: "1.2", tolerance: "0.4",
					track: track{
						day: time.Wednesday, clock: "13:15",
						values:     "1.44 1.43 1.40 1.38 1.36 1.33 1.30 1.29 1.27 1.24 1.20 1.18",
						confidence: "6 6 6 6 6 6 7 7 7 8 8 8",
					},
				},
				{
					title: "検査のリードタイム", kind: okr.Metric, unit: "日", baseline: "3.5", target: "2.0", owner: chinatsu,
					track: track{
						day: time.Wednesday, clock: "13:25",
						values:     "3.5 3.4 3.3 3.1 3.0 2.9 2.7 2.6 2.4 2.3 2.2 2.1",
						confidence: "6 6 6 6 6 6 6 7 7 7 7 8",
						notes:      map[int]string{5: "紙をなくした効果がここに出ています。記録を待つ時間がなくなりました。"},
					},
				},
			},
			life: []act{
				drafted(start(-23, "08:45")), submitted(start(-15, "14:05")), approved(misaki, start(-13, "09:25")),
			},
			comments: []comment{
				{start(33, "17:15"), misaki, "治具の話、とても良い発見ですね。どうやって気づいたのか、次の全社会で話してもらえませんか。"},
				{start(34, "08:30"), makoto, "気づいたのは山本さんです。本人に話してもらいます。"},
			},
		},
		{
			name:        "tacit-knowledge",
			team:        quality,
			owner:       chinatsu,
			title:       "検査の勘どころを、誰でも使える形にする",
			description: "検査員18人のうち7人が、5年以内に定年を迎えます。",
			kind:        okr.Aspirational,
			parent:      "found-before-shipping",
			keyResults: []keyResult{
				{
					title: "判定の手引きをつくる", kind: okr.Milestone,
					steps: []step{
						{"ベテラン5人の検査を記録する", "2"},
						{"判断の分かれ目を言葉にする", "3"},
						{"写真つきの判定基準にまとめる", "2"},
						{"新人2人に使ってもらう", "2"},
						{"全員で読み合わせて標準にする", "1"},
					},
					track: track{
						day: time.Tuesday, clock: "16:00",
						values:     "0 1 1 1 2 2 2 3 3 4 4 5",
						confidence: "6 7 7 6 7 7 7 8 8 8 8 9",
						notes: map[int]string{
							2: "石井さんは、見る前に必ず一度さわっていました。ご本人も気づいていなかったそうです。",
							5: "「なんとなく」を12の問いに分けられました。",
						},
					},
				},
				{
					title: "検査員どうしの判定の一致", kind: okr.Threshold, unit: "%", atLeast: "92", tolerance: "20",
					track: track{
						day: time.Tuesday, clock: "16:10",
						values:     "78 79 81 82 84 85 86 88 89 90 91 92",
						confidence: "6 6 6 6 6 7 7 7 7 8 8 8",
					},
				},
				{
					title: "新人が一人で検査できるまでの日数", description: "最初の二人が独り立ちしてから測ります。",
					kind: okr.Metric, unit: "日", baseline: "60", target: "30", weight: "0.5",
					track: track{
						day: time.Tuesday, clock: "16:15",
						values:     "- - - - - - - - - - 48 45",
						confidence: "- - - - - - - - - - 6 6",
					},
				},
			},
			life: []act{
				drafted(start(-18, "11:35")), submitted(start(-12, "15:20")), approved(makoto, start(-10, "08:35")),
			},
			comments: []comment{
				{start(22, "12:50"), rajesh, "If the twelve questions are ever in a table, our alert team would love to read them. Some of them sound like features."},
				{start(23, "09:00"), chinatsu, "もちろんです。写真を入れたらお渡しします。英語にするのを手伝ってもらえると嬉しいです。"},
			},
		},
		{
			name:        "short-stops",
			team:        quality,
			owner:       daisuke,
			title:       "組立ラインの「ちょこ停」を減らす",
			description: "一回は1分に満たない停止ですが、3ラインの合計で毎日97分になります。記録されていないので、誰も原因を知りません。",
			kind:        okr.Aspirational,
			parent:      "healthy-margin", parentKeyResult: 1,
			keyResults: []keyResult{
				{
					title: "ちょこ停の合計", kind: okr.Metric, unit: "分/日", baseline: "97", target: "50",
				},
				{
					title: "原因が分かっている停止", kind: okr.Metric, unit: "%", baseline: "12", target: "80",
				},
				{
					title: "自動で記録する仕組み", kind: okr.Milestone,
					steps: []step{{"1号ラインで試す", "2"}, {"3ラインに広げる", "2"}, {"朝礼の画面に出す", "1"}},
				},
			},
			life: []act{drafted(ago(12, "15:50")), submitted(ago(4, "11:25"))},
			comments: []comment{
				{ago(3, "13:20"), chinatsu, "1号ラインなら、火曜の午後は段取り替えで空いています。試すならその時間が良いと思います。"},
			},
		},
		{
			name:        "hundred-videos",
			team:        quality,
			owner:       chinatsu,
			title:       "検査の動画マニュアルを100本つくる",
			description: "ベテランの検査を動画で残します。",
			kind:        okr.Committed,
			parent:      "found-before-shipping",
			keyResults: []keyResult{
				{title: "公開した動画", kind: okr.Metric, unit: "本", baseline: "0", target: "100"},
			},
			life: []act{
				drafted(start(-22, "10:25")),
				archived(chinatsu, start(-18, "13:10"), "動画の本数は手段でした。「検査の勘どころを、誰でも使える形にする」にまとめ直します。"),
			},
			comments: []comment{
				{start(-20, "09:45"), makoto, "100本あっても、新人がどれを見れば良いか迷いそうです。何ができるようになれば成功でしょうか。"},
			},
		},
	}
}
