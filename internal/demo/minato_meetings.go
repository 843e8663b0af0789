package demo

import "time"

func minatoMeetings() []gathering {
	return []gathering{
		{
			title: "カスタマーサクセス 週次チェックイン", team: customerSuccess, organizer: aya, others: []person{shota, lan},
			day: time.Wednesday, clock: "10:00", duration: 45, place: "会議室 3",
			description: "今週の数字を確かめ、手が止まっているところを一緒に考えます。",
			agenda:      []string{"数字の確認（会議の中でチェックイン）", "困っていること", "来週までにやること"},
			reading:     "https://example.com/customer-success/weekly",
			questions: []question{
				{kind: "scale", title: "今週の手ごたえは？（1〜10）", required: true},
				{kind: "choice", title: "いちばん手が足りないのは？", choices: []string{"導入", "問い合わせ", "訪問", "とくにない"}},
				{kind: "text", title: "話しておきたいことは？"},
			},
			minutes: []minutes{
				{text: "初回設定は平均7.9日。申請書のひな形を使った5社は6日で終わった。\n化学系のお客様は防爆エリアで画面を見られない。", decisions: []string{"ひな形を全社の標準にする", "休憩所に画面を置く方法を2社で試す"}},
				{text: "休憩所の画面は好評。朝礼で使う工場が1つ増えた。\nベトナム語の手順書がまだ横向きのまま。", decisions: []string{"手順書の写真を縦向きにする"}},
				{text: "縦向きの手順書を配った。問い合わせは先週より少ない。", decisions: []string{"来月は訪問を2社増やす"}, owed: "縦向きの手順書をベトナムの3工場に届ける", by: lan},
			},
		},
	}
}
