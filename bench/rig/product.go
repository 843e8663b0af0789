package rig

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
)

// Programs are the built ones.
type Programs struct{ Product, GinGORM, Minimal, OldWay string }

// root is the product's module, seen from the folder that the benchmarks run in.
const root = ".."

// BuildAll compiles product and peers. A profiled product is the same server with pprof beside it.
func (r *Rig) BuildAll(ctx context.Context, profiled bool) (p Programs, err error) {
	if profiled {
		p.Product, err = r.Build(ctx, ".", "./profiled")
	} else {
		p.Product, err = r.Build(ctx, root, "./cmd/kakeai")
	}
	if err != nil {
		return p, err
	}
	if p.GinGORM, err = r.Build(ctx, ".", "./peers/gingorm"); err != nil {
		return p, err
	}
	if p.Minimal, err = r.Build(ctx, ".", "./peers/minimal"); err != nil {
		return p, err
	}
	p.OldWay, err = r.Build(ctx, ".", "./peers/snapshotway")
	return p, err
}

// Where says how a program reaches its database and on what it runs.
type Where struct {
	DatabaseURL string
	Connections int
	Core        int // the only one that it may use; negative for any
}

// Serve runs the product, with further settings.
func (r *Rig) Serve(ctx context.Context, p Programs, w Where, more ...string) (*Process, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	environment := append([]string{"KAKEAI_ADDR=" + address, "DATABASE_URL=" + w.DatabaseURL, "KAKEAI_MAX_CONNECTIONS=" + strconv.Itoa(w.Connections),
		"KAKEAI_CURSOR_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32))}, more...)
	return r.Run(ctx, w.Core, address, []string{p.Product, "serve"}, environment, ReadyByHTTP)
}

// Peer runs one of the peers, with further settings of its own.
func (r *Rig) Peer(ctx context.Context, program string, w Where, more ...string) (*Process, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	environment := append([]string{"ADDR=" + address, "DATABASE_URL=" + w.DatabaseURL, fmt.Sprintf("CONNECTIONS=%d", w.Connections)}, more...)
	return r.Run(ctx, w.Core, address, []string{program}, environment, ReadyByHTTP)
}

// Work runs the product's worker, with further settings. It serves nothing, so there is nothing to wait for.
func (r *Rig) Work(ctx context.Context, p Programs, w Where, more ...string) (*Process, error) {
	environment := append([]string{"DATABASE_URL=" + w.DatabaseURL, "KAKEAI_MAX_CONNECTIONS=" + strconv.Itoa(w.Connections)}, more...)
	return r.Run(ctx, w.Core, "", []string{p.Product, "worker"}, environment, func(context.Context, string) error { return nil })
}

// OldWay runs the server that changes organisations as a whole, with further settings: JOBS=4 also has it do the coach's jobs, four at a time. Its
// database is reached like the product's, in the same role, which is given the one right beyond the product's that this way needs.
func (r *Rig) OldWay(ctx context.Context, p Programs, w Where, more ...string) (*Process, error) {
	if _, err := r.Owner.Exec(ctx, "GRANT UPDATE ON organizations TO kakeai_app"); err != nil {
		return nil, err
	}
	return r.Peer(ctx, p.OldWay, w, more...)
}
