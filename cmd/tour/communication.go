package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

type (
	notice struct {
		Kind  string `json:"kind"`
		Title string `json:"title"`
	}
	inbox struct {
		Items []notice `json:"items"`
		Seen  string   `json:"seen"`
	}
	inboxSummary struct {
		Unread struct {
			Count int `json:"count"`
		} `json:"unread"`
	}
	inboxRead struct {
		Seen string `json:"seen"`
	}
	debt struct {
		Kind  string `json:"kind"`
		Title string `json:"title"`
	}
	preference struct {
		Kind  string `json:"kind"`
		Inbox bool   `json:"inbox"`
		Mail  string `json:"mail"`
	}
	preferences struct {
		Items []preference `json:"items"`
	}
	mailSettings struct {
		Digest     string `json:"digest,omitempty"`
		Subscribed *bool  `json:"subscribed,omitempty"`
	}
	webhookCreate struct {
		URL   string   `json:"url"`
		Kinds []string `json:"kinds"`
	}
	webhookMade struct {
		Webhook struct {
			ID uuid.UUID `json:"id"`
		} `json:"webhook"`
		Secret string `json:"secret"`
	}
	webhookDelivery struct {
		ID      uuid.UUID `json:"id"`
		State   string    `json:"state"`
		Attempt int       `json:"attempt"`
		Failure string    `json:"failure"`
	}
	signInMethods struct {
		Password bool `json:"password"`
		OIDC     *struct {
			Name string `json:"name"`
		} `json:"oidc"`
	}
)

// communication shows what tells people of each other: inbox, mail, webhooks, pictures.
func (t *tour) communication(ctx context.Context, ready *step) {
	t.chapter("inbox and mail")
	read := t.step(ctx, "look into the owner's inbox", func(s *sight) error { return t.readInbox(ctx, s) }, ready)
	t.step(ctx, "mark it all as read", func(s *sight) error { return t.markRead(ctx, s) }, read)
	t.step(ctx, "see what one owes", func(s *sight) error { return t.seeOwed(ctx, s) }, ready)
	t.step(ctx, "want no mail about comments, and then again", func(s *sight) error { return t.choosePreference(ctx, s) }, ready)
	t.step(ctx, "unsubscribe by the link in a mail, and subscribe again", func(s *sight) error { return t.unsubscribe(ctx, s) }, ready)

	t.chapter("other systems")
	t.step(ctx, "point a webhook inside, which is refused when it is dialled", func(s *sight) error { return t.pointInside(ctx, s) }, ready)
	t.step(ctx, "upload a picture, and ask for it again with its ETag", func(s *sight) error { return t.uploadPicture(ctx, s) }, ready)
	t.step(ctx, "ask how one may sign in", func(s *sight) error {
		methods, err := get[signInMethods](ctx, newClient(t.url), "/session/methods")
		s.sum("with a password: %t; through an identity provider: %t", methods.Password, methods.OIDC != nil)
		if err == nil && !methods.Password {
			err = errors.New("a password was to do")
		}
		return err
	})
}

func (t *tour) readInbox(ctx context.Context, s *sight) error {
	owner, err := t.as(ctx, misaki)
	if err != nil {
		return err
	}
	box, err := get[inbox](ctx, owner, "/notifications?limit=100")
	if err != nil {
		return err
	}
	summary, err := get[inboxSummary](ctx, owner, "/notifications/summary")
	if err != nil {
		return err
	}
	kinds := map[string]int{}
	for _, n := range box.Items {
		kinds[n.Kind]++
	}
	s.sum("%d unread of %d: %v", summary.Unread.Count, len(box.Items), kinds)
	if len(box.Items) == 0 {
		return errors.New("there is nothing in it: does a worker run?")
	}
	return nil
}

func (t *tour) markRead(ctx context.Context, s *sight) error {
	owner, err := t.as(ctx, misaki)
	if err != nil {
		return err
	}
	box, err := get[inbox](ctx, owner, "/notifications")
	if err != nil {
		return err
	}
	if _, err := post[struct{}](ctx, owner, "/notifications/read", inboxRead{Seen: box.Seen}); err != nil {
		return err
	}
	after, err := get[inbox](ctx, owner, "/notifications?unread=true")
	s.sum("%d are unread now", len(after.Items))
	return err // news may have come meanwhile
}

func (t *tour) seeOwed(ctx context.Context, s *sight) error {
	owner, err := t.as(ctx, misaki)
	if err != nil {
		return err
	}
	owed, err := get[page[debt]](ctx, owner, "/owed")
	var all []string
	for _, d := range owed.Items {
		all = append(all, d.Kind+" "+d.Title)
	}
	s.sum("%d: %s", len(all), strings.Join(all, "; "))
	return err
}

func (t *tour) choosePreference(ctx context.Context, s *sight) error {
	member, err := t.as(ctx, lan)
	if err != nil {
		return err
	}
	before, err := get[preferences](ctx, member, "/notification-preferences")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(before.Items, func(p preference) bool { return p.Kind == "commented" })
	if i < 0 {
		return errors.New("there is no such kind")
	}
	for _, wanted := range []preference{{Kind: "commented", Inbox: true, Mail: "off"}, before.Items[i]} {
		if _, err := member.call(ctx, http.MethodPut, "/notification-preferences", preferences{Items: []preference{wanted}}, nil); err != nil {
			return err
		}
		now, err := get[preferences](ctx, member, "/notification-preferences")
		if err != nil {
			return err
		}
		if now.Items[i] != wanted {
			return fmt.Errorf("%+v was asked for, and is %+v", wanted, now.Items[i])
		}
	}
	s.sum("of %d kinds; comments come by mail %q, as before", len(before.Items), before.Items[i].Mail)
	return nil
}

// errNoViewer is no failure: mails leave, and nobody but their readers can look at them.
var errNoViewer = errors.New("mail leaves this server, so there is none to look at")

// mailTo is the HTML of the latest mail to an address that says something, from the pages that show mail in development.
func (t *tour) mailTo(ctx context.Context, address, saying string) (string, error) {
	visitor := newClient(t.url)
	row := regexp.MustCompile(`<td>([^<]*)</td><td><a href="(/dev/mail/[0-9a-f-]{36})">`)
	for began := time.Now(); time.Since(began) < time.Minute; {
		listed, err := visitor.send(ctx, http.MethodGet, t.url+"/dev/mail", nil, http.Header{})
		if err != nil {
			return "", err
		}
		if listed.status == http.StatusNotFound {
			return "", errNoViewer
		}
		for _, found := range row.FindAllStringSubmatch(string(listed.body), -1) {
			if !strings.Contains(html.UnescapeString(found[1]), address) {
				continue
			}
			shown, err := visitor.send(ctx, http.MethodGet, t.url+found[2]+"/html", nil, http.Header{})
			if err != nil {
				return "", err
			}
			if strings.Contains(string(shown.body), saying) {
				return html.UnescapeString(string(shown.body)), nil
			}
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return "", fmt.Errorf("no mail to %s within a minute: does a worker run?", address)
}

// unsubscribe has somebody mention Lan, who then follows the link at the end of the mail that tells of it.
func (t *tour) unsubscribe(ctx context.Context, s *sight) error {
	lead, member, err := t.asBoth(ctx, aya, lan)
	if err != nil {
		return err
	}
	if _, err := patch[mailSettings](ctx, member, "/mail-settings", mailSettings{Subscribed: ptr(true)}); err != nil {
		return err
	}
	title := "手順書をそろえる " + uuid.NewString()[:8]
	o, err := t.draft(ctx, lead, t.sharedTeam(lead, member), title)
	if err != nil {
		return err
	}
	call := fmt.Sprintf("@[%s](member:%s) 見てください。", member.session.User.Name, member.session.User.ID)
	if _, err := post[struct{}](ctx, lead, "/objectives/"+o.ID.String()+"/comments", text{Body: call}); err != nil {
		return err
	}
	mail, err := t.mailTo(ctx, lan, title)
	if errors.Is(err, errNoViewer) {
		s.sum("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	link := regexp.MustCompile(`/unsubscribe\?token=[A-Za-z0-9_-]+`).FindString(mail)
	if link == "" {
		return errors.New("the mail has no link that ends it")
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} { // following it only asks
		answered, err := newClient(t.url).send(ctx, method, t.url+link, nil, http.Header{})
		if err != nil {
			return err
		}
		settings, err := get[mailSettings](ctx, member, "/mail-settings")
		if err != nil {
			return err
		}
		if answered.status != http.StatusOK || *settings.Subscribed != (method == http.MethodGet) {
			return fmt.Errorf("%s of the link: %d, and subscribed is %t", method, answered.status, *settings.Subscribed)
		}
	}
	again, err := patch[mailSettings](ctx, member, "/mail-settings", mailSettings{Subscribed: ptr(true)})
	s.sum("following the link asked, pressing the button ended it; subscribed again: %t", err == nil && *again.Subscribed)
	return err
}

func ptr[T any](value T) *T { return &value }

// pointInside has a webhook lead to this machine, where the tour listens.
func (t *tour) pointInside(ctx context.Context, s *sight) error {
	admin, err := t.as(ctx, kenichi)
	if err != nil {
		return err
	}
	var reached atomic.Int64
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	made, err := post[webhookMade](ctx, admin, "/webhooks", webhookCreate{URL: inside.URL, Kinds: []string{"objective."}})
	if err != nil {
		return err
	}
	path := "/webhooks/" + made.Webhook.ID.String()
	defer func() { _, _ = admin.call(context.WithoutCancel(ctx), http.MethodDelete, path, nil, nil) }()
	tried, err := post[webhookDelivery](ctx, admin, path+"/test", nil)
	if err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < time.Minute; {
		if tried, err = get[webhookDelivery](ctx, admin, path+"/deliveries/"+tried.ID.String()); err != nil {
			return err
		}
		if tried.State == "failed" {
			s.sum("%s: %s, after %s; the receiver was reached %s", inside.URL, tried.Failure, times(tried.Attempt), times(int(reached.Load())))
			if reached.Load() > 0 {
				return errors.New("the inside was reached")
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return fmt.Errorf("it is %s after a minute: does a worker run?", tried.State)
}

func (t *tour) uploadPicture(ctx context.Context, s *sight) error {
	member, err := t.as(ctx, lan)
	if err != nil {
		return err
	}
	picture := image.NewRGBA(image.Rect(0, 0, 320, 200))
	for i := range 320 * 200 {
		picture.Set(i%320, i/320, color.RGBA{R: 0x20, G: 0x60, B: uint8(i % 256), A: 0xff})
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return err
	}
	address := t.url + apiPath + "/members/" + member.session.User.ID.String() + "/icon"
	put, err := member.send(ctx, http.MethodPut, address, file.Bytes(), http.Header{"Content-Type": {"image/png"}, "Idempotency-Key": {uuid.NewString()}})
	if err != nil {
		return err
	}
	if put.status >= http.StatusBadRequest {
		return problemIn(put)
	}
	first, err := member.send(ctx, http.MethodGet, address, nil, http.Header{})
	if err != nil {
		return err
	}
	shown, _, err := image.DecodeConfig(bytes.NewReader(first.body))
	if err != nil {
		return err
	}
	second, err := member.send(ctx, http.MethodGet, address, nil, http.Header{"If-None-Match": {first.header.Get("Etag")}})
	if err != nil {
		return err
	}
	s.sum("%d bytes became %d × %d pixels in %d bytes; with its ETag: %d", file.Len(), shown.Width, shown.Height, len(first.body), second.status)
	if shown.Width != 256 || shown.Height != 256 || second.status != http.StatusNotModified || first.header.Get("X-Content-Type-Options") != "nosniff" {
		return errors.New("256 × 256, nosniff and 304 were due")
	}
	return nil
}
