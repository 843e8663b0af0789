package rig

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// PgBouncer puts a pooler in transaction mode before a database, and returns the URL of the database through it. What has waited longer than
// patience is refused.
func (r *Rig) PgBouncer(ctx context.Context, w Where, patience time.Duration) (string, error) {
	if _, err := exec.LookPath("pgbouncer"); err != nil {
		return "", fmt.Errorf("rig: PgBouncer is needed (the package pgbouncer of Debian): %w", err)
	}
	database, err := url.Parse(w.DatabaseURL)
	if err != nil {
		return "", fmt.Errorf("rig: malformed URL") // the original would print the password
	}
	address, err := FreeAddress()
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	password, _ := database.User.Password()
	name := strings.TrimPrefix(database.Path, "/")
	lines := []string{
		"[databases]",
		fmt.Sprintf("%s = host=%s port=%s dbname=%s user=%s password=%s", name, database.Hostname(), database.Port(), name, database.User.Username(), password),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1", "listen_port = " + port, "unix_socket_dir =", "auth_type = any",
		"pool_mode = transaction", "max_client_conn = 1000", fmt.Sprintf("default_pool_size = %d", w.Connections),
		fmt.Sprintf("query_wait_timeout = %d", int(patience.Seconds())), "log_connections = 0", "log_disconnections = 0",
	}
	path := filepath.Join(r.dir, "pgbouncer.ini")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil { //nolint:gosec // another user reads it; what it opens ends with the rig
		return "", err
	}
	command := []string{"pgbouncer", "--quiet", path}
	if os.Geteuid() == 0 { // as whom it refuses to run
		command = []string{"pgbouncer", "--quiet", "--user=nobody", path}
	}
	_, err = r.Run(ctx, w.Core, address, command, nil, func(ctx context.Context, address string) error {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	})
	if err != nil {
		return "", err
	}
	database.Host = address
	// PgBouncer gives each transaction another connection, where a statement prepared by name may not be; descriptions hold everywhere.
	query := database.Query()
	query.Set("default_query_exec_mode", "cache_describe")
	database.RawQuery = query.Encode()
	return database.String(), nil
}
