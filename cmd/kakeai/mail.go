package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
)

// newMails is where mails stay instead of leaving; nil where they leave, and in production, where nothing is kept for anybody to look at.
func newMails(c config.Config) *mail.Folder {
	if c.SMTPURL != "" || c.Production() {
		return nil
	}
	return mail.NewFolder(filepath.Join(c.DataDir, "mail"))
}

// newMailSender sends mails to the mail server, or to newMails, or nowhere.
func newMailSender(c config.Config, store *db.Store, log *slog.Logger, budget mail.Budget) (*mail.Sender, error) {
	o := mail.Options{Address: c.PublicURL, Budget: budget, PerMinute: c.MailPerMinute}
	o.From.Address = "kakeai@localhost.localdomain" // where nothing leaves
	var err error
	if c.MailFrom != "" {
		if o.From, err = c.Sender(); err != nil {
			return nil, err
		}
	}
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if key != nil {
		if o.Links, err = mail.NewLinks(key); err != nil {
			return nil, err
		}
	}
	if o.Transport, err = newTransport(c); err != nil {
		return nil, err
	}
	return mail.NewSender(store, log, o)
}

func newTransport(c config.Config) (mail.Transport, error) {
	if c.SMTPURL != "" {
		server, err := c.MailServer()
		if err != nil {
			return nil, err
		}
		public, err := url.Parse(c.PublicURL)
		if err != nil {
			return nil, fmt.Errorf("KAKEAI_URL: %w", err)
		}
		return mail.NewSMTP(mail.SMTPOptions{Server: server, Name: public.Hostname(), Bounds: mail.DefaultBounds()}), nil
	}
	if folder := newMails(c); folder != nil {
		return folder, nil
	}
	return nil, nil //nolint:nilnil // nowhere
}
