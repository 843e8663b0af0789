package mail

import (
	"fmt"
	"time"
)

// somebody is a name as it is spoken of: with さん in Japanese. What nobody did, the program did.
func (p *page) somebody(name string) string {
	if name == "" {
		return "Kakeai"
	}
	return p.sayf("%sさん", "%s", oneLine(name))
}

// told is what a notice says, twice over: as a subject that one can decide by, and as a sentence.
func (n Notice) told(p *page) (subject, sentence string) {
	title, actor := oneLine(n.Title), p.somebody(n.Actor)
	both := func(jaSubject, enSubject, jaSentence, enSentence string) (string, string) {
		fill := func(ja, en string) string { return p.sayf(ja, en, title, actor) }
		return fill(jaSubject, enSubject), fill(jaSentence, enSentence)
	}
	switch n.Kind {
	case "mentioned":
		return both("%[2]sがあなたに呼びかけています：%[1]s", "%[2]s mentioned you: %[1]s",
			"%[2]sが「%[1]s」であなたに呼びかけました。", "%[2]s mentioned you in “%[1]s”.")
	case "commented":
		return both("新しいコメント：%[1]s", "New comment: %[1]s",
			"%[2]sが「%[1]s」にコメントしました。", "%[2]s commented on “%[1]s”.")
	case "review-requested":
		return both("レビューをお願いします：%[1]s", "Review requested: %[1]s",
			"%[2]sが「%[1]s」のレビューを待っています。", "%[2]s is waiting for your review of “%[1]s”.")
	case "returned":
		return both("見直しをお願いします：%[1]s", "Returned for changes: %[1]s",
			"%[2]sが「%[1]s」を差し戻しました。", "%[2]s returned “%[1]s” for changes.")
	case "approved":
		return both("承認されました：%[1]s", "Approved: %[1]s",
			"%[2]sが「%[1]s」を承認しました。", "%[2]s approved “%[1]s”.")
	case "objective-closed":
		return both("目標を締めました：%[1]s", "Closed: %[1]s",
			"%[2]sが「%[1]s」を締めました。", "%[2]s closed “%[1]s”.")
	case "revised":
		return both("下書きに戻りました：%[1]s", "Back to draft: %[1]s",
			"%[2]sが「%[1]s」を下書きに戻しました。", "%[2]s took “%[1]s” back to draft.")
	case "reopened":
		return both("再開されました：%[1]s", "Reopened: %[1]s",
			"%[2]sが「%[1]s」を再開しました。", "%[2]s reopened “%[1]s”.")
	case "team-joined":
		return both("チームに加わりました：%[1]s", "You joined %[1]s",
			"%[2]sがあなたをチーム「%[1]s」に加えました。", "%[2]s added you to the team “%[1]s”.")
	case "assigned":
		return both("担当になりました：%[1]s", "Now yours: %[1]s",
			"%[2]sがあなたを「%[1]s」の担当にしました。", "%[2]s made you the owner of “%[1]s”.")
	case "check-in-due":
		return both("チェックインの時期です：%[1]s", "Time to check in: %[1]s",
			"「%[1]s」のチェックインの時期です。", "It is time to check in on “%[1]s”.")
	case "outdated":
		return both("しばらく更新がありません：%[1]s", "No news for a while: %[1]s",
			"「%[1]s」は、しばらくチェックインがありません。", "“%[1]s” has had no check-in for a while.")
	case "broadcast":
		return both("お知らせ：%[1]s", "Announcement: %[1]s",
			"%[2]sからお知らせがあります：「%[1]s」", "%[2]s has an announcement: “%[1]s”.")
	case "meeting-invited":
		return both("会議の案内：%[1]s", "Invitation: %[1]s",
			"%[2]sが会議「%[1]s」に招待しました。", "%[2]s invited you to “%[1]s”.")
	case "meeting-changed":
		return both("会議の変更：%[1]s", "Meeting changed: %[1]s",
			"%[2]sが会議「%[1]s」を変更しました。", "%[2]s changed the meeting “%[1]s”.")
	case "meeting-cancelled":
		return both("会議の中止：%[1]s", "Meeting cancelled: %[1]s",
			"%[2]sが会議「%[1]s」を取りやめました。", "%[2]s cancelled the meeting “%[1]s”.")
	case "meeting-soon":
		return both("まもなく会議です：%[1]s", "Starting soon: %[1]s",
			"会議「%[1]s」がまもなく始まります。", "The meeting “%[1]s” starts soon.")
	case "survey-open":
		return both("会議の前に答えてください：%[1]s", "Before the meeting: %[1]s",
			"会議「%[1]s」の前に、アンケートに答えてください。", "Please answer the survey before “%[1]s”.")
	case "webhook-disabled":
		return both("Webhookを止めました：%[1]s", "A webhook was switched off: %[1]s",
			"「%[1]s」へのWebhookは届かなくなったので、止めました。", "The webhook to “%[1]s” could not be delivered any more, so it was switched off.")
	case "follow-up-assigned":
		return both("お願いしたいこと：%[1]s", "For you to follow up: %[1]s",
			"%[2]sが「%[1]s」をあなたに頼みました。", "%[2]s asked you to follow up: “%[1]s”.")
	}
	return both("%[1]s", "%[1]s", "「%[1]s」に動きがありました。", "There is news of “%[1]s”.")
}

func (n Notice) often(p *page) string {
	if n.Count < 2 {
		return ""
	}
	return p.sayf("%d件", "%d times", n.Count)
}

func (n Notice) write(p *page) {
	subject, sentence := n.told(p)
	p.Subject, p.Heading = subject, subject
	s := section{Words: []paragraph{{sentence}}, Quote: paragraphs(n.Excerpt)}
	if often := n.often(p); often != "" {
		s.Words = append(s.Words, paragraph{p.sayf("前にお読みになってから%sあります。", "This happened %s since you last looked.", often)})
	}
	p.add(s)
	p.button(p.say("開く", "Open"), n.Path)
}

// item is one thing to do, with its day, and whether that has passed.
func (o Owed) item(p *page) item {
	i := item{Title: oneLine(o.Title), Link: p.link(o.Path), Detail: o.what(p)}
	if o.Due == nil {
		return i
	}
	due := p.sayf("%sまで", "due %s", p.day(*o.Due))
	if i.Detail != "" {
		due = i.Detail + p.say("・", ", ") + due
	}
	i.Detail = due
	if o.Due.Before(p.reader.now) {
		i.Alarm = p.say("期限切れ", "overdue")
	}
	return i
}

// what is to be done, by the kinds of GET /owed.
func (o Owed) what(p *page) string {
	switch o.Kind {
	case "draft":
		return p.say("下書きを仕上げる", "finish the draft")
	case "returned":
		return p.say("差し戻しを見直す", "revise what was returned")
	case "review":
		return p.say("レビューする", "review")
	case "check-in":
		return p.say("チェックインする", "check in")
	case "survey":
		return p.say("アンケートに答える", "answer the survey")
	case "follow-up":
		return p.say("フォローアップ", "follow up")
	}
	return ""
}

func (d Digest) write(p *page) {
	switch {
	case len(d.Owed) > 0 && p.reader.locale == "ja":
		p.Subject = fmt.Sprintf("あなたを待っていることが%d件あります", len(d.Owed))
	case len(d.Owed) == 1:
		p.Subject = "1 thing is waiting for you"
	case len(d.Owed) > 0:
		p.Subject = fmt.Sprintf("%d things are waiting for you", len(d.Owed))
	case d.Weekly:
		p.Subject = p.say("この1週間のできごと", "Your week in Kakeai")
	default:
		p.Subject = p.say("きのうからのできごと", "News since yesterday")
	}
	p.Heading = p.sayf("%sのまとめ", "Where things stand on %s", p.day(p.reader.now))
	if len(d.Owed) > 0 {
		s := section{Heading: p.say("あなたを待っていること", "Waiting for you")}
		for _, o := range d.Owed {
			s.Items = append(s.Items, o.item(p))
		}
		p.add(s)
	}
	if len(d.Notices) > 0 || d.More > 0 {
		s := section{Heading: p.say("きのうからのできごと", "Since yesterday")}
		if d.Weekly {
			s.Heading = p.say("この1週間のできごと", "This past week")
		}
		for _, n := range d.Notices {
			_, sentence := n.told(p)
			s.Items = append(s.Items, item{Title: sentence, Detail: n.often(p), Link: p.link(n.Path)})
		}
		if d.More > 0 {
			s.Items = append(s.Items, item{Title: p.sayf("ほかに%d件", "And %d more", d.More), Link: p.link("/inbox")})
		}
		p.add(s)
	}
	p.button(p.say("受信箱を開く", "Open the inbox"), "/inbox")
}

func (b Broadcast) write(p *page) {
	p.Subject, p.Heading = oneLine(b.Title), oneLine(b.Title)
	p.add(section{Words: append([]paragraph{{p.sayf("%sからのお知らせです。", "From %s", p.somebody(b.Author))}}, paragraphs(b.Body)...)})
	p.button(p.say("Kakeaiで読む", "Read it in Kakeai"), "/broadcasts/"+b.ID.String())
}

func (m Meeting) write(p *page) {
	title := oneLine(m.Title)
	organizer := p.somebody(m.Organizer)
	var sentence string
	switch {
	case m.Method == "CANCEL":
		p.Subject = p.sayf("中止：%s – %s", "Cancelled: %s – %s", title, p.brief(m.StartsAt))
		sentence = p.sayf("%sがこの会議を取りやめました。", "%s cancelled this meeting.", organizer)
	case m.Changed:
		p.Subject = p.sayf("変更：%s – %s", "Changed: %s – %s", title, p.brief(m.StartsAt))
		sentence = p.sayf("%sがこの会議を変更しました。", "%s changed this meeting.", organizer)
	default:
		p.Subject = p.sayf("会議の案内：%s – %s", "Invitation: %s – %s", title, p.brief(m.StartsAt))
		sentence = p.sayf("%sがあなたを会議に招待しました。", "%s invites you to a meeting.", organizer)
	}
	p.Heading = title
	s := section{Words: []paragraph{{sentence}}, Facts: []fact{{p.say("日時", "When"), p.span(m.StartsAt, m.EndsAt, p.reader.zone)}}}
	if zone, err := time.LoadLocation(m.Zone); err == nil && m.Zone != "" && !sameClock(m.StartsAt, zone, p.reader.zone) {
		s.Facts = append(s.Facts, fact{p.say("開催地の日時", "Local time of the meeting"), p.span(m.StartsAt, m.EndsAt, zone)})
	}
	if place := oneLine(m.Place); place != "" {
		s.Facts = append(s.Facts, fact{p.say("場所", "Where"), place})
	}
	p.add(s)
	p.button(p.say("会議を開く", "Open the meeting"), m.Path)
	if m.Calendar != "" && (m.Method == "REQUEST" || m.Method == "CANCEL") {
		p.calendar, p.method = m.Calendar, m.Method
		p.Note = p.say("予定表に入れるためのファイル（invite.ics）を添付しています。", "The attached invite.ics is for your calendar.")
	}
}

// sameClock reports whether clocks in two zones show the same at a moment.
func sameClock(t time.Time, a, b *time.Location) bool {
	_, x := t.In(a).Zone()
	_, y := t.In(b).Zone()
	return x == y
}

func (s Survey) write(p *page) {
	title := oneLine(s.Title)
	p.Subject = p.sayf("会議の前に答えてください：%s", "Before the meeting: %s", title)
	sentence := p.sayf("「%s」の前に、アンケートに答えてください。", "Please answer the survey before “%s”.", title)
	if s.Reminder {
		p.Subject = p.sayf("まもなく締め切り：「%s」のアンケート", "Closing soon: survey for %s", title)
		sentence = p.sayf("「%s」のアンケートは、まだ答えをいただいていません。", "The survey for “%s” is still waiting for your answer.", title)
	}
	p.Heading = p.say("会議の前のアンケート", "Survey before the meeting")
	words := []paragraph{{sentence}}
	if s.Anonymous {
		words = append(words, paragraph{p.say("答えは匿名です。だれの答えかは、どこにも残りません。", "Answers are anonymous: who gave which is kept nowhere.")})
	}
	p.add(section{Words: words, Facts: []fact{{p.say("締め切り（会議の始まり）", "Open until the meeting starts"), p.moment(s.StartsAt)}}})
	p.button(p.say("答える", "Answer"), s.Path)
}

func (c CheckInReminder) write(p *page) {
	p.Subject = p.sayf("チェックインをお願いします（%d件）", "Time to check in: %d waiting", len(c.Objectives))
	if len(c.Objectives) == 1 {
		p.Subject = p.sayf("チェックインをお願いします：%s", "Time to check in: %s", oneLine(c.Objectives[0].Title))
	}
	p.Heading = p.say("いまの数字と手ごたえを教えてください", "Where do things stand?")
	s := section{Words: []paragraph{{p.say("数字を入れて一言添えるだけで、1分で終わります。", "A number and a line of words: it takes a minute.")}}}
	for _, o := range c.Objectives {
		o.Kind = ""
		s.Items = append(s.Items, o.item(p))
	}
	p.add(s)
	if len(c.Objectives) == 1 {
		p.button(p.say("チェックインする", "Check in"), c.Objectives[0].Path)
		return
	}
	p.button(p.say("チェックインする", "Check in"), "/inbox")
}

func (c SignInChange) write(p *page) {
	provider := oneLine(c.Provider)
	s := section{}
	switch c.Change {
	case SignInRemoved:
		p.Subject = p.sayf("サインイン方法を削除しました：%s", "A way to sign in was removed: %s", provider)
		p.Heading = p.say("サインイン方法を削除しました", "A way to sign in was removed")
		s.Words = []paragraph{{p.sayf("%sからは、あなたのKakeaiにサインインできなくなりました。ほかの端末からはすべてサインアウトし、APIトークンも無効にしました。",
			"%s does not open your Kakeai account any more. Everywhere else you are signed out, and your API tokens have ended.", provider)}}
	default:
		p.Subject = p.sayf("サインイン方法を追加しました：%s", "A way to sign in was added: %s", provider)
		p.Heading = p.say("サインイン方法を追加しました", "A way to sign in was added")
		s.Words = []paragraph{{p.sayf("これからは%sからも、あなたのKakeaiにサインインできます。", "From now on %s opens your Kakeai account too.", provider)}}
	}
	for _, f := range []fact{{p.say("連携先での名前", "Known there as"), c.ShownAs}, {p.say("日時", "When"), p.moment(c.At)}, {p.say("接続元", "From"), c.Address}, {p.say("ブラウザー", "Browser"), c.Browser}} {
		if f.Value = oneLine(f.Value); f.Value != "" {
			s.Facts = append(s.Facts, f)
		}
	}
	p.add(s)
	p.add(section{Words: []paragraph{{p.say("心当たりがないときは、すぐにパスワードを変更し、サインイン方法を確かめてください。パスワードがなければ、組織の管理者に知らせてください。",
		"If this was not you, change your password at once and look at the ways to sign in. Without a password, tell an admin of your organisation.")}}})
	p.button(p.say("アカウントを確かめる", "Look at the account"), "/account")
	p.Links = nil // it comes whatever is set
}
