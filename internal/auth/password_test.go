package auth

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		password string
		want     error
	}{
		"long enough":                    {"correct-ho", nil},
		"one short":                      {"correct-h", ErrPasswordTooShort},
		"empty":                          {"", ErrPasswordTooShort},
		"characters are not bytes":       {"みなとの潮風は涼しい", nil},
		"nine characters, many bytes":    {"みなとの潮風は涼し", ErrPasswordTooShort},
		"composing marks do not count":   {strings.Repeat("か\u3099", 9), ErrPasswordTooShort},
		"the longest":                    {"a" + strings.Repeat("b", MaxPassword-1), nil},
		"one over":                       {"a" + strings.Repeat("b", MaxPassword), ErrPasswordTooLong},
		"one character repeated":         {"aaaaaaaaaaaa", ErrPasswordRepeats},
		"one long character repeated":    {strings.Repeat("潮", 10), ErrPasswordRepeats},
		"one character in two widths":    {"1111111111１１", ErrPasswordRepeats},
		"two characters":                 {"aaaaaaaaaaab", nil},
		"spaces are characters":          {"a b c d e f", nil},
		"not UTF-8, whatever its length": {"\xff\xfe", ErrPasswordNotText},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, CheckPassword(c.password))
		})
	}
}

func TestPasswordsMatchWhatTheyWereHashedFrom(t *testing.T) {
	t.Parallel()
	p := NewPasswords(2, PasswordPatience)
	hash, err := p.Hash(t.Context(), "みなとがわ 2026 の潮風")
	require.NoError(t, err)
	for password, want := range map[string]bool{
		"みなとがわ 2026 の潮風":         true,
		"みなとか\u3099わ 2026 の潮風":   true, // decomposed, as some keyboards send it
		"みなとがわ ２０２６ の潮風":         true, // full width
		"みなとがわ 2027 の潮風":         false,
		"":                       false,
		"みなとがわ 2026 の潮風\x00more": false,
	} {
		matches, err := p.Matches(t.Context(), password, hash)
		require.NoError(t, err)
		assert.Equal(t, want, matches, "%q", password)
	}

	again, err := p.Hash(t.Context(), "みなとがわ 2026 の潮風")
	require.NoError(t, err)
	assert.NotEqual(t, hash, again, "each hash has a salt of its own")
	assert.LessOrEqual(t, len(hash), 300, "the column's width")
}

func TestHashesOfOtherSettingsStillMatch(t *testing.T) {
	t.Parallel()
	older, err := argon2id.CreateHash("correct horse battery", &argon2id.Params{Memory: 1024, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(t, err)
	matches, err := NewPasswords(1, PasswordPatience).Matches(t.Context(), "correct horse battery", older)
	require.NoError(t, err)
	assert.True(t, matches)
}

func TestMatchesRefusesWhatIsNoHash(t *testing.T) {
	t.Parallel()
	matches, err := NewPasswords(1, PasswordPatience).Matches(t.Context(), "correct horse battery", "correct horse battery")
	require.ErrorIs(t, err, argon2id.ErrInvalidHash)
	assert.False(t, matches)
}

// Not parallel: it counts what the whole process allocates. Nearly all of the algorithm's work is filling that memory.
func TestAnUnknownAddressCostsWhatAKnownOneDoes(t *testing.T) {
	p := NewPasswords(1, PasswordPatience)
	hash, err := p.Hash(t.Context(), "correct horse battery")
	require.NoError(t, err)

	known := allocated(func() { _, err = p.Matches(t.Context(), "a wrong password", hash) })
	require.NoError(t, err)
	unknown := allocated(func() { err = p.MatchesNothing(t.Context(), "a wrong password") })
	require.NoError(t, err)

	assert.GreaterOrEqual(t, known, uint64(cost().Memory)*1024)
	assert.InEpsilon(t, known, unknown, 0.1)
}

func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestOnlySoManyRunAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const concurrent = 3
		p := NewPasswords(concurrent, PasswordPatience)
		var running, most, served atomic.Int32
		var all sync.WaitGroup
		for range concurrent * (1 + waitersPerSlot) {
			all.Go(func() {
				assert.NoError(t, p.do(t.Context(), func() {
					now := running.Add(1)
					for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
					}
					time.Sleep(30 * time.Millisecond)
					running.Add(-1)
					served.Add(1)
				}))
			})
		}
		all.Wait()
		assert.EqualValues(t, concurrent, most.Load())
		assert.EqualValues(t, concurrent*(1+waitersPerSlot), served.Load())
	})
}

func TestOneTooManyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := NewPasswords(1, PasswordPatience)
		release := make(chan struct{})
		var all sync.WaitGroup
		for range 1 + waitersPerSlot {
			all.Go(func() { assert.NoError(t, p.do(t.Context(), func() { <-release })) })
		}
		synctest.Wait()

		began := time.Now()
		_, err := p.Hash(t.Context(), "correct horse battery")
		require.ErrorIs(t, err, ErrTooBusy)
		require.ErrorIs(t, p.MatchesNothing(t.Context(), "correct horse battery"), ErrTooBusy)
		assert.Zero(t, time.Since(began))

		close(release)
		all.Wait()
		require.NoError(t, p.do(t.Context(), func() {}), "what was taken is given back")
	})
}

func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within time.Duration // how long the caller waits; zero: for ever
		want   error
		after  time.Duration
	}{
		"with the caller's patience": {within: time.Second, want: context.DeadlineExceeded, after: time.Second},
		"with its own":               {want: ErrTooBusy, after: PasswordPatience},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := NewPasswords(1, PasswordPatience)
				release := make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() { assert.NoError(t, p.do(t.Context(), func() { <-release })) })
				synctest.Wait()

				ctx := t.Context()
				if c.within > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.within)
					defer cancel()
				}
				began := time.Now()
				_, err := p.Matches(ctx, "correct horse battery", "")
				require.ErrorIs(t, err, c.want)
				assert.Equal(t, c.after, time.Since(began))

				close(release)
				all.Wait()
				assert.Empty(t, p.present)
				assert.Empty(t, p.running)
			})
		})
	}
}

func TestNothingIsHashedForACallerWhoHasGone(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	p := NewPasswords(1, PasswordPatience)
	for range 20 { // a free slot and an ended context are both ready, and select picks at random
		require.ErrorIs(t, p.do(gone, func() { t.Error("worked for nobody") }), context.Canceled)
	}
}
