package api

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/db"
)

func cachedPicture(content string, size int) picture {
	p := picture{contentType: "image/png", content: append([]byte(content), make([]byte, size-len(content))...)}
	p.hash = sha256.Sum256(p.content)
	return p
}

func TestTheIconCacheIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	const size = 1000
	c := newIconCache(10 * (size + iconOverhead))
	keys := make([]iconKey, 25)
	for i := range keys {
		keys[i] = iconKey{db.NewID(), db.NewID()}
		c.put(keys[i], cachedPicture(keys[i].member.String(), size))
		assert.LessOrEqual(t, c.bytes, c.most)
		_, ok := c.get(keys[0], cachedPicture(keys[0].member.String(), size).hash)
		assert.True(t, ok, "what is used stays")
	}
	assert.Equal(t, 10, c.entries.Len())
	assert.Equal(t, 10*(size+iconOverhead), c.bytes)
	c.put(keys[24], cachedPicture("another", 3*size)) // takes the place of its own, and of others
	assert.LessOrEqual(t, c.bytes, c.most)
	c.put(keys[1], cachedPicture("too large for all of it", 11*(size+iconOverhead)))
	assert.LessOrEqual(t, c.bytes, c.most)
	for _, key := range keys {
		c.remove(key)
	}
	assert.Zero(t, c.bytes)
	assert.Zero(t, c.entries.Len())
}

func TestTheIconCacheDropsWhatWasReplaced(t *testing.T) {
	t.Parallel()
	c := newIconCache(1 << 20)
	key, elsewhere := iconKey{db.NewID(), db.NewID()}, db.NewID()
	was, now := cachedPicture("was", 100), cachedPicture("now", 100)
	c.put(key, was)
	_, ok := c.get(iconKey{elsewhere, key.member}, was.hash)
	assert.False(t, ok, "of another organisation")
	_, ok = c.get(key, now.hash)
	assert.False(t, ok)
	assert.Zero(t, c.entries.Len(), "it is held no longer")
	c.put(key, now)
	c.put(key, was) // by a request that had read it before it was replaced, and comes late
	_, ok = c.get(key, now.hash)
	assert.False(t, ok, "asked with what is there, it gives nothing else")
	c.put(key, now)
	got, ok := c.get(key, now.hash)
	assert.True(t, ok)
	assert.Equal(t, now, got)
}
