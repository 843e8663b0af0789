package mail

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
)

func TestAFolderKeepsTheNewest(t *testing.T) {
	t.Parallel()
	f := NewFolder(filepath.Join(t.TempDir(), "data", "mail"))
	all, err := f.List()
	require.NoError(t, err)
	assert.Empty(t, all, "before the first mail")
	_, err = f.Open(uuid.New())
	require.ErrorIs(t, err, fs.ErrNotExist)

	var ids []uuid.UUID
	for range folderKeeps + 5 {
		l := aLetter()
		l.id = db.NewID()
		m, err := compose(l)
		require.NoError(t, err)
		for range 2 { // again is nothing new
			require.NoError(t, f.Deliver(t.Context(), m))
		}
		ids = append([]uuid.UUID{l.id}, ids...)
	}
	require.NoError(t, os.WriteFile(filepath.Join(f.root, "notes.eml"), nil, 0o600))
	all, err = f.List()
	require.NoError(t, err)
	var got []uuid.UUID
	for _, o := range all {
		got = append(got, o.ID)
		assert.Equal(t, aLetter().subject, o.Subject)
	}
	assert.Equal(t, ids[:folderKeeps], got)
	left, err := os.ReadDir(f.root)
	require.NoError(t, err)
	assert.Len(t, left, folderKeeps+1)
}

func TestAFolderTakesManyAtOnce(t *testing.T) {
	t.Parallel()
	f := NewFolder(t.TempDir())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range folderKeeps / 4 {
				l := aLetter()
				l.id = db.NewID()
				m, err := compose(l)
				assert.NoError(t, err)
				assert.NoError(t, f.Deliver(t.Context(), m))
				_, err = f.List()
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	kept, err := f.List()
	require.NoError(t, err)
	assert.Len(t, kept, folderKeeps)
}

func TestAFolderThatCannotBeWrittenFailsTheDelivery(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "in the way")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	err := failure(t, NewFolder(file).Deliver(t.Context(), message(1)))
	assert.False(t, err.Permanent || err.Unknown)
}
