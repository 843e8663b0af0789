package ai

import (
	"sync"

	"github.com/google/uuid"
)

// Progress holds the partial answers of the calls that this process is making, so that they can be shown while they grow. Nothing in it is stored,
// and another process does not see it. A nil Progress holds nothing.
type Progress struct {
	mu    sync.Mutex
	texts map[uuid.UUID]string
}

// NewProgress returns an empty Progress.
func NewProgress() *Progress { return &Progress{texts: map[uuid.UUID]string{}} }

// Set replaces what a job's answer reads so far; an empty text forgets the job.
func (p *Progress) Set(job uuid.UUID, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text == "" {
		delete(p.texts, job)
		return
	}
	p.texts[job] = text
}

// Text is what a job's answer reads so far; empty where nothing is known.
func (p *Progress) Text(job uuid.UUID) string {
	if p == nil {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.texts[job]
}
