package api

import (
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/mail"
)

const (
	viewerPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// mailPolicy is for a mail's own HTML: it may look as it likes, and do and fetch nothing.
	mailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

// mailViewer shows the mails that stayed here, in development. Elsewhere there are none, and no such pages.
func (s *Server) mailViewer(routes gin.IRoutes) {
	folder := s.options.Mails
	if folder == nil || s.options.Production {
		return
	}
	routes.GET("/dev/mail", func(c *gin.Context) {
		all, err := folder.List()
		if err != nil {
			s.fail(c, err)
			return
		}
		s.viewMail(c, "mails.html.tmpl", all)
	})
	routes.GET("/dev/mail/:id", s.openMail(folder, func(c *gin.Context, o *mail.Opened) { s.viewMail(c, "mail.html.tmpl", o) }))
	routes.GET("/dev/mail/:id/html", s.openMail(folder, func(c *gin.Context, o *mail.Opened) {
		c.Header("Content-Security-Policy", mailPolicy)
		beside := strings.Replace(o.HTML, "<head>", `<head><base target="_blank">`, 1) // where its links open: in the frame, nothing could be done with them
		c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(beside))
	}))
	routes.GET("/dev/mail/:id/source", s.openMail(folder, func(c *gin.Context, o *mail.Opened) {
		c.Data(http.StatusOK, "text/plain; charset=utf-8", o.Source)
	}))
	routes.GET("/dev/mail/:id/attachments/:number", s.openMail(folder, func(c *gin.Context, o *mail.Opened) {
		number, err := strconv.Atoi(c.Param("number"))
		if err != nil || number < 0 || number >= len(o.Attachments) {
			s.fail(c, errNotFound)
			return
		}
		a := o.Attachments[number]
		if a.Name == "" {
			a.Name = "part-" + strconv.Itoa(number)
		}
		c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Name}))
		c.Data(http.StatusOK, "application/octet-stream", a.Content)
	}))
}

func (s *Server) openMail(folder *mail.Folder, show func(*gin.Context, *mail.Opened)) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := uuid.Parse(c.Param("id"))
		if err != nil {
			s.fail(c, errNotFound)
			return
		}
		o, err := folder.Open(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			s.fail(c, errNotFound)
		case err != nil:
			s.fail(c, err)
		default:
			show(c, o)
		}
	}
}

func (s *Server) viewMail(c *gin.Context, page string, data any) {
	var out strings.Builder
	if err := s.mailPages.ExecuteTemplate(&out, page, data); err != nil {
		s.fail(c, err)
		return
	}
	c.Header("Content-Security-Policy", viewerPolicy)
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(out.String()))
}
