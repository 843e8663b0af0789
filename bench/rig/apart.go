package rig

import (
	"errors"
	"os"
	"runtime"
)

// The cores of a rig that is kept apart from its generator.
const (
	generatorCore = 0
	ServerCore    = 1
)

// Apart gives this process, the generator, one core and PostgreSQL another, so that neither takes time from the other; programs are to be run on
// ServerCore. together undoes it for this process.
func (r *Rig) Apart() (together func(), err error) {
	if runtime.NumCPU() < 2 {
		return nil, errors.New("rig: two cores are needed, one of them for the generator")
	}
	postgres, err := r.PostgresPID()
	if err != nil {
		return nil, err
	}
	cores := make([]int, runtime.NumCPU())
	for i := range cores {
		cores[i] = i
	}
	before := runtime.GOMAXPROCS(1)
	together = func() {
		_ = Pin(os.Getpid(), cores...) // it was bound to fewer a moment ago
		runtime.GOMAXPROCS(before)
	}
	if err := errors.Join(Pin(os.Getpid(), generatorCore), Pin(postgres, ServerCore)); err != nil {
		together()
		return nil, err
	}
	return together, nil
}
