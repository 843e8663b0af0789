package webhook

import "time"

// SetPatience is how long a receiver has in a test.
func SetPatience(s *Sender, patience time.Duration) { s.patience = patience }
