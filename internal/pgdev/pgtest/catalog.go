package pgtest

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev"
)

const (
	ownerRole = "kakeai_owner"
	appRole   = "kakeai_app"
	setupLock = 0x6b616b74 // advisory lock of the test process that makes roles and the template
)

// catalog makes and drops databases on the server, with a login that may.
type catalog struct {
	address  *url.URL
	pool     *pgxpool.Pool
	template string
	secret   []byte
}

// openCatalog makes the logins and the template, unless another test process has.
func openCatalog(ctx context.Context, address string) (_ *catalog, err error) {
	c := &catalog{template: "kakeai_test_" + db.MigrationsHash()}
	if c.address, err = url.Parse(address); err != nil {
		return nil, err
	}
	// Derived, so that all test processes of a server agree on the passwords without telling each other.
	c.secret = []byte(c.address.User.String())
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 4
	if c.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, err
	}
	if err := c.setUp(ctx); err != nil {
		c.pool.Close()
		return nil, err
	}
	return c, nil
}

func (c *catalog) setUp(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.address.String())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // which gives the lock back
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", setupLock); err != nil {
		return err
	}
	if err := c.provideLogins(ctx, conn); err != nil {
		return err
	}
	return c.provideTemplate(ctx, conn)
}

// provideLogins makes the roles, and the login in use a member of both if it is no superuser: only so may it
// make databases that kakeai_owner owns, and end sessions of both.
func (c *catalog) provideLogins(ctx context.Context, conn *pgx.Conn) error {
	if err := pgdev.ProvideLogins(ctx, conn, c.password(ownerRole), c.password(appRole)); err != nil {
		return err
	}
	var super bool
	if err := conn.QueryRow(ctx, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user").Scan(&super); err != nil {
		return err
	}
	if super {
		return nil
	}
	_, err := conn.Exec(ctx, "GRANT "+ownerRole+", "+appRole+" TO CURRENT_USER")
	return err
}

// provideTemplate applies the migrations to a new database and calls it a template only then, so that one whose making was
// interrupted is made again.
func (c *catalog) provideTemplate(ctx context.Context, conn *pgx.Conn) error {
	var ready bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", c.template).Scan(&ready)
	if err != nil || ready {
		return err
	}
	if _, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+c.template+" WITH (FORCE)"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+c.template+" OWNER "+ownerRole); err != nil {
		return err
	}
	if err := db.Migrate(ctx, c.url(ownerRole, c.template), slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	// A template that somebody is connected to cannot be cloned, so nobody may connect.
	_, err = conn.Exec(ctx, "ALTER DATABASE "+c.template+" IS_TEMPLATE true ALLOW_CONNECTIONS false")
	return err
}

func (c *catalog) clone(ctx context.Context) (string, error) {
	return c.make(ctx, c.template)
}

func (c *catalog) empty(ctx context.Context) (string, error) {
	return c.make(ctx, "template1")
}

func (c *catalog) make(ctx context.Context, template string) (string, error) {
	name := c.template + "_" + strings.ToLower(rand.Text()[:12])
	for _, statement := range []string{
		"CREATE DATABASE " + name + " TEMPLATE " + template + " OWNER " + ownerRole,
		"ALTER DATABASE " + name + " SET timezone = '" + oddTimeZone + "'",
	} {
		if _, err := c.pool.Exec(ctx, statement); err != nil {
			return "", fmt.Errorf("making a database: %w", err)
		}
	}
	return name, nil
}

func (c *catalog) drop(ctx context.Context, name string) error {
	if _, err := c.pool.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("dropping a database: %w", err)
	}
	return nil
}

func (c *catalog) url(role, database string) string {
	u := *c.address
	u.User = url.UserPassword(role, c.password(role))
	u.Path = "/" + database
	return u.String()
}

func (c *catalog) password(role string) string {
	derived := hmac.New(sha256.New, c.secret)
	derived.Write([]byte(role))
	return hex.EncodeToString(derived.Sum(nil)[:16])
}
