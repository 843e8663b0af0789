// Package config is everything that the environment decides about the program: one struct, documented in one table in docs/operations.md.
package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Config is read once, at the start. Each field's variable is in its tag.
type Config struct {
	Environment string `env:"KAKEAI_ENV"` // Production unless it says Development, which dev does by itself

	Addr    string `env:"KAKEAI_ADDR"`                          // where to listen; dev takes another port when this is left open and 8080 is taken
	DataDir string `env:"KAKEAI_DATA_DIR" envDefault:".kakeai"` // where dev keeps PostgreSQL

	DatabaseURL       string `env:"DATABASE_URL"`        // signs in as kakeai_app
	DatabaseListenURL string `env:"DATABASE_LISTEN_URL"` // past a pooler in transaction mode, for notifications alone; DATABASE_URL if empty
	DatabaseOwnerURL  string `env:"DATABASE_OWNER_URL"`  // signs in as the tables' owner; only migrate, release, org and what is not in production use it

	MaxConnections int           `env:"KAKEAI_MAX_CONNECTIONS" envDefault:"10"`     // to PostgreSQL, per process
	Reserve        int           `env:"KAKEAI_RESERVED_CONNECTIONS" envDefault:"2"` // of these, for sign-in, sessions and readiness alone
	QueueTimeout   time.Duration `env:"KAKEAI_QUEUE_TIMEOUT" envDefault:"2s"`       // longest wait for a connection
	Jobs           int           `env:"KAKEAI_JOBS" envDefault:"4"`                 // calls to the coach at a time, per process
	Deliveries     int           `env:"KAKEAI_DELIVERIES" envDefault:"8"`           // mails and the like that are being sent at a time, per process
	Shutdown       time.Duration `env:"KAKEAI_SHUTDOWN_TIMEOUT" envDefault:"20s"`   // for running requests to finish
	Drain          time.Duration `env:"KAKEAI_DRAIN_TIMEOUT" envDefault:"5s"`       // for what they have deferred to finish after them
	MetricsAddr    string        `env:"KAKEAI_METRICS_ADDR"`                        // where to listen for /metrics; nowhere if empty

	CursorKey        string  `env:"KAKEAI_CURSOR_KEY"`                          // base64, at least 32 bytes; the same in every replica
	SessionRate      float64 `env:"KAKEAI_SESSION_RATE" envDefault:"100"`       // requests a second of one session, twice that at once; 0: any
	OrganizationRate float64 `env:"KAKEAI_ORGANIZATION_RATE" envDefault:"2000"` // requests a second of one organisation, twice that at once; 0: any

	FetchAllow     []string `env:"KAKEAI_FETCH_ALLOW"`                       // hosts, addresses and networks that are not public and may be asked all the same; see fetch.ParseAllow
	FetchPerMinute int      `env:"KAKEAI_FETCH_PER_MINUTE" envDefault:"120"` // previews of links fetched, per process; 0: none

	TrustProxy bool   `env:"KAKEAI_TRUST_PROXY" envDefault:"false"` // believe X-Forwarded-For and X-Forwarded-Proto
	LogLevel   string `env:"KAKEAI_LOG_LEVEL" envDefault:"info"`    // debug, info, warn or error
	LogFormat  string `env:"KAKEAI_LOG_FORMAT" envDefault:"json"`   // json or text

	PublicURL        string `env:"KAKEAI_URL"`                              // where people reach the program, for links in mails and feeds; dev knows by itself
	SMTPURL          string `env:"KAKEAI_SMTP_URL"`                         // smtp://user:password@host:587 or smtps://…; without one no mail is sent
	MailFrom         string `env:"KAKEAI_MAIL_FROM"`                        // whom mails are from, with or without a name
	MailPerMinute    int    `env:"KAKEAI_MAIL_PER_MINUTE" envDefault:"300"` // mails that this process sends a minute, and a quarter of it at once
	OIDCIssuer       string `env:"KAKEAI_OIDC_ISSUER"`                      // the identity provider; without one, people sign in with passwords alone
	OIDCClientID     string `env:"KAKEAI_OIDC_CLIENT_ID"`                   // what it knows this program as
	OIDCClientSecret string `env:"KAKEAI_OIDC_CLIENT_SECRET"`               // none for a public client
	OIDCName         string `env:"KAKEAI_OIDC_NAME"`                        // what people call it

	WebhooksOverHTTP bool `env:"KAKEAI_WEBHOOKS_OVER_HTTP" envDefault:"false"` // lets webhooks be http; https alone otherwise

	OpenAIBaseURL string `env:"OPENAI_BASE_URL"` // any OpenAI-compatible server
	OpenAIAPIKey  string `env:"OPENAI_API_KEY"`
	OpenAIModel   string `env:"OPENAI_MODEL"` // without one, the rules coach answers
}

// The environments that the program runs in.
const (
	Production  = "production"
	Development = "development"
)

// Production reports whether the program serves in earnest, which it does unless somebody has said otherwise.
func (c Config) Production() bool { return c.Environment != Development }

// Load reads the environment. The error names the variable that cannot be read.
func Load() (Config, error) {
	c, err := env.ParseAs[Config]()
	if err != nil {
		return Config{}, byVariable(err)
	}
	return c, c.check()
}

// byVariable names the variables that cannot be read, where the library names the fields.
func byVariable(err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return fmt.Errorf("config: %w", err)
	}
	var refused []error
	for _, one := range all.Errors {
		var parse env.ParseError
		if field, ok := reflect.TypeFor[Config]().FieldByName(fieldOf(one, &parse)); ok {
			one = fmt.Errorf("%s: %w", field.Tag.Get("env"), parse.Err)
		}
		refused = append(refused, one)
	}
	return errors.Join(refused...)
}

func fieldOf(err error, parse *env.ParseError) string {
	if errors.As(err, parse) {
		return parse.Name
	}
	return ""
}

func (c Config) check() error {
	var refused []error
	if c.Environment != "" && c.Environment != Production && c.Environment != Development {
		refused = append(refused, errors.New("KAKEAI_ENV: production or development"))
	}
	if c.MaxConnections < 2 || c.MaxConnections > 1000 {
		refused = append(refused, errors.New("KAKEAI_MAX_CONNECTIONS: from 2 to 1000"))
	}
	if c.Reserve < 1 || c.Reserve >= c.MaxConnections {
		refused = append(refused, errors.New("KAKEAI_RESERVED_CONNECTIONS: at least 1, and less than KAKEAI_MAX_CONNECTIONS"))
	}
	if c.Jobs < 1 || c.Jobs > 1000 {
		refused = append(refused, errors.New("KAKEAI_JOBS: from 1 to 1000"))
	}
	if c.Deliveries < 1 || c.Deliveries > 1000 {
		refused = append(refused, errors.New("KAKEAI_DELIVERIES: from 1 to 1000"))
	}
	if c.QueueTimeout <= 0 || c.Shutdown <= 0 || c.Drain <= 0 {
		refused = append(refused, errors.New("KAKEAI_QUEUE_TIMEOUT, KAKEAI_SHUTDOWN_TIMEOUT, KAKEAI_DRAIN_TIMEOUT: more than nothing"))
	}
	if c.FetchPerMinute < 0 || c.FetchPerMinute > 100_000 {
		refused = append(refused, errors.New("KAKEAI_FETCH_PER_MINUTE: from 0 to 100000"))
	}
	if c.LogFormat != "json" && c.LogFormat != "text" {
		refused = append(refused, errors.New("KAKEAI_LOG_FORMAT: json or text"))
	}
	refused = append(refused, c.checkMail())
	if _, err := c.Key(); err != nil {
		refused = append(refused, err)
	}
	refused = append(refused, c.checkOIDC()...)
	if c.OpenAIModel == "" && (c.OpenAIBaseURL != "" || c.OpenAIAPIKey != "") {
		refused = append(refused, errors.New("OPENAI_MODEL: name a model, or unset OPENAI_BASE_URL and OPENAI_API_KEY to have the rules coach answer"))
	}
	return errors.Join(refused...)
}

func (c Config) checkMail() error {
	var refused []error
	if u, err := url.Parse(c.PublicURL); c.PublicURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "") {
		refused = append(refused, errors.New("KAKEAI_URL: https:// and a host, and no more, such as https://okr.example.com"))
	}
	if c.MailPerMinute < 1 || c.MailPerMinute > 100_000 {
		refused = append(refused, errors.New("KAKEAI_MAIL_PER_MINUTE: from 1 to 100000"))
	}
	if c.MailFrom != "" {
		if _, err := c.Sender(); err != nil {
			refused = append(refused, err)
		}
	}
	if c.SMTPURL == "" {
		return errors.Join(refused...)
	}
	if _, err := c.MailServer(); err != nil {
		refused = append(refused, err)
	}
	if c.MailFrom == "" || c.PublicURL == "" {
		refused = append(refused, errors.New("KAKEAI_MAIL_FROM and KAKEAI_URL: mails that are sent have a sender, and links that lead somewhere"))
	}
	return errors.Join(refused...)
}

// MailServer is where mail is handed over. The error does not repeat the address, which may hold a password.
func (c Config) MailServer() (*url.URL, error) {
	u, err := url.Parse(c.SMTPURL)
	if err != nil {
		return nil, errors.New("KAKEAI_SMTP_URL: it cannot be read; escape what is special in a password, such as %40 for @")
	}
	query := u.Query()
	mode := query.Get("tls")
	query.Del("tls")
	switch {
	case u.Scheme != "smtp" && u.Scheme != "smtps":
		err = errors.New("KAKEAI_SMTP_URL: it begins with smtp:// or smtps://")
	case u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" || len(query) > 0:
		err = errors.New("KAKEAI_SMTP_URL: smtp://user:password@host:port and no more, but for ?tls=none")
	case u.Query().Has("tls") && (mode != "none" || u.Scheme != "smtp"):
		err = errors.New("KAKEAI_SMTP_URL: ?tls=none is for smtp:// and all that can be said of TLS")
	}
	return u, err
}

// Sender is whom mails are from; the name may be empty.
func (c Config) Sender() (mail.Address, error) {
	a, err := mail.ParseAddress(c.MailFrom)
	if err != nil {
		return mail.Address{}, errors.New("KAKEAI_MAIL_FROM: an address such as okr@example.com, or Kakeai <okr@example.com>")
	}
	return *a, nil
}

// checkOIDC wants the provider's own traffic encrypted: it carries the client's secret, and the keys that everything is verified with.
func (c Config) checkOIDC() (refused []error) {
	if c.OIDCIssuer == "" {
		if c.OIDCClientID != "" || c.OIDCClientSecret != "" || c.OIDCName != "" {
			refused = append(refused, errors.New("KAKEAI_OIDC_ISSUER: name the identity provider, or unset KAKEAI_OIDC_CLIENT_ID, KAKEAI_OIDC_CLIENT_SECRET and KAKEAI_OIDC_NAME"))
		}
		return refused
	}
	u, err := url.Parse(c.OIDCIssuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || c.Production()) {
		refused = append(refused, errors.New("KAKEAI_OIDC_ISSUER: an https:// address as the provider itself writes it"))
	}
	if c.OIDCClientID == "" {
		refused = append(refused, errors.New("KAKEAI_OIDC_CLIENT_ID: what the identity provider knows this program as"))
	}
	if c.PublicURL == "" {
		refused = append(refused, errors.New("KAKEAI_URL: where the identity provider is to lead back to"))
	}
	return refused
}

// Key is the cursor key as bytes; nil where none was given.
func (c Config) Key() ([]byte, error) {
	if c.CursorKey == "" {
		return nil, nil
	}
	key, err := base64.StdEncoding.DecodeString(c.CursorKey)
	if err != nil || len(key) < 32 {
		return nil, errors.New("KAKEAI_CURSOR_KEY: base64 of at least 32 random bytes, such as `openssl rand -base64 32` prints")
	}
	return key, nil
}
