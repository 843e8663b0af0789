package pgdev

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	superuser    = "postgres"
	ownerRole    = "kakeai_owner"
	appRole      = "kakeai_app"
	databaseName = "kakeai"
)

// provide makes the logins and the database. Each step is done only if it is missing, so an interrupted first start is
// completed by the next one.
func (s *Server) provide(ctx context.Context, p passwords) error {
	conn, err := pgx.Connect(ctx, s.SuperuserURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := ProvideLogins(ctx, conn, p.Owner, p.App); err != nil {
		return err
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", databaseName).Scan(&exists); err != nil {
		return err
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+databaseName+" OWNER "+ownerRole); err != nil {
		return fmt.Errorf("making the database: %w", err)
	}
	return nil
}

// ProvideLogins makes the roles kakeai_owner, who may make roles but is no superuser, and kakeai_app, who may nothing that
// is not granted and cannot pass row-level security. Roles that exist get the password; one that has too many rights is
// an error, for tests that run as it would prove nothing. The passwords may not hold a quote or a backslash.
// Callers on one server must not run this at the same time.
func ProvideLogins(ctx context.Context, conn *pgx.Conn, ownerPassword, appPassword string) error {
	for _, role := range []struct{ name, rights, password string }{
		{ownerRole, "CREATEROLE", ownerPassword},
		{appRole, "NOCREATEROLE", appPassword},
	} {
		var excessive bool
		err := conn.QueryRow(ctx, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = $1", role.name).Scan(&excessive)
		var statement string
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			statement = fmt.Sprintf("CREATE ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOBYPASSRLS NOREPLICATION %s PASSWORD '%s'", role.name, role.rights, role.password)
		case err != nil:
			return err
		case excessive:
			return fmt.Errorf("the role %s is a superuser or has BYPASSRLS on this server", role.name)
		default:
			statement = fmt.Sprintf("ALTER ROLE %s LOGIN PASSWORD '%s'", role.name, role.password)
		}
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("providing the login %s: %w", role.name, err)
		}
	}
	return nil
}
