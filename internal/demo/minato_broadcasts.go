package demo

// minatoBroadcasts are words to many: one that everybody has read by now, and one that its author is still at.
func minatoBroadcasts() []broadcastStory {
	return []broadcastStory{
		{
			by:      kenichi,
			title:   "今期のOKRが出そろいました / This quarter's OKRs are all in",
			body:    "全チームの目標が承認されました。チェックインは週に一度、月曜の朝礼の前に入れてください。数字が悪い週こそ、早めに書いてください。相談はそこから始まります。\n\nAll teams' objectives are approved. Please check in once a week, before Monday's meeting. A bad week is the best one to write about: that is where help begins.",
			drafted: start(1, "16:40"),
			sent:    start(2, "09:30"),
		},
		{
			by:      aya,
			to:      customerSuccess.number,
			title:   "訪問の記録の書き方をそろえませんか",
			body:    "お客様ごとに書き方がばらばらで、あとから読み返しにくくなっています。まず三つの見出し（困りごと・試したこと・次の一歩）で書いてみたいです。意見をください。",
			drafted: start(30, "18:05"),
		},
	}
}
