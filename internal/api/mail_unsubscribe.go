package api

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"golang.org/x/text/language"

	"github.com/kakeai/kakeai/internal/db"
)

// mailPages are the pages of unsubscribing, and those that show mails in development.
//
//go:embed mail_pages
var mailPages embed.FS

func parseMailPages() (*template.Template, error) {
	return template.ParseFS(mailPages, "mail_pages/*.tmpl")
}

// The page takes nothing from elsewhere and cannot be framed; its form goes back to where it came from.
const unsubscribePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// unsubscribing is where the links in mails lead. Nobody signs in for it: the token says whose mail it ends, and can do nothing else. Programs follow links in mails to see
// what is behind them, so following it only asks; POST does it, from the page's form or as the one click of RFC 8058.
func (s *Server) unsubscribing(routes gin.IRoutes) {
	routes.GET("/unsubscribe", func(c *gin.Context) { s.unsubscribe(c, s.askToUnsubscribe) })
	routes.POST("/unsubscribe", func(c *gin.Context) { s.unsubscribe(c, s.endMail) })
}

// unsubscribePage is what the page says.
type unsubscribePage struct {
	Japanese     bool
	Asks, Done   bool   // neither: the link is none
	Organization string // that the mail came from
	Token        string
}

func (s *Server) unsubscribe(c *gin.Context, act func(ctx context.Context, organization, user uuid.UUID) (unsubscribePage, error)) {
	token := c.Query("token") // in the address also when it is sent by POST; the body holds nothing that is needed
	var p unsubscribePage
	status := http.StatusNotFound
	if organization, user, ok := s.links.Member(token); ok {
		if wait := s.limits.unsubscribing.take(user); wait > 0 {
			s.fail(c, tooMany(wait))
			return
		}
		var err error
		p, err = act(c.Request.Context(), organization, user)
		switch {
		case err == nil:
			status = http.StatusOK
		case !gone(err):
			s.fail(c, err)
			return
		}
	}
	p.Japanese, p.Token = prefersJapanese(c.GetHeader("Accept-Language")), token
	var page strings.Builder
	if err := s.mailPages.ExecuteTemplate(&page, "unsubscribe.html.tmpl", p); err != nil {
		s.fail(c, err)
		return
	}
	c.Header("Content-Security-Policy", unsubscribePolicy)
	c.Header("Referrer-Policy", "no-referrer") // the address holds the token
	c.Header("X-Robots-Tag", "noindex")
	c.Header("Vary", "Accept-Language")
	c.Data(status, "text/html; charset=utf-8", []byte(page.String()))
}

// gone reports whether the member that a token names is not here, or no more, as after an import elsewhere.
func gone(err error) bool {
	var constraint *db.ConstraintError
	return errors.Is(err, db.ErrNotFound) || errors.As(err, &constraint)
}

func (s *Server) askToUnsubscribe(ctx context.Context, organization, user uuid.UUID) (p unsubscribePage, err error) {
	err = s.store.Read(ctx, db.Scope{Organization: organization, Class: db.Normal}, func(ctx context.Context, q *db.Queries) error {
		m, err := q.GetMailSettings(ctx, db.GetMailSettingsParams{OrganizationID: organization, UserID: user})
		if err != nil {
			return err
		}
		p = unsubscribePage{Asks: m.UnsubscribedAt == nil, Done: m.UnsubscribedAt != nil, Organization: m.OrganizationName}
		return nil
	})
	return p, err
}

// endMail ends all mail to a member. Doing it again changes nothing and leaves nothing behind.
func (s *Server) endMail(ctx context.Context, organization, user uuid.UUID) (p unsubscribePage, err error) {
	x := exchangeOf(ctx)
	err = s.store.Write(ctx, db.Scope{Organization: organization, Class: db.Normal}, func(ctx context.Context, q *db.Queries) error {
		changed, err := q.Unsubscribe(ctx, db.UnsubscribeParams{OrganizationID: organization, UserID: user})
		if err != nil {
			return err
		}
		m, err := q.GetMailSettings(ctx, db.GetMailSettingsParams{OrganizationID: organization, UserID: user})
		if err != nil {
			return err
		}
		p = unsubscribePage{Done: true, Organization: m.OrganizationName}
		if changed == 0 {
			return nil
		}
		return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: organization, EventID: db.NewID(), Action: "mail_settings.unsubscribed", TargetKind: "member", TargetID: user,
			Detail: []byte("{}"), RequestID: &x.requestID, Address: &x.address}) // no actor: whoever has the mail can follow its link
	})
	return p, err
}

// prefersJapanese reports which of the two languages a browser asks for.
func prefersJapanese(accepted string) bool {
	tags, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil {
		return false
	}
	_, index, _ := language.NewMatcher([]language.Tag{language.English, language.Japanese}).Match(tags...)
	return index == 1
}
