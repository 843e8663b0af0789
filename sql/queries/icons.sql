-- name: GetMemberIconHash :one
-- What a member's icon is at present, without its bytes. No row: there is none.
SELECT i.content_hash, i.content_type, i.source_url
FROM member_icons AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.user_id = @user_id::uuid;

-- name: GetMemberIcon :one
-- A member's icon. No row: there is none.
SELECT i.content_hash, i.content_type, i.content
FROM member_icons AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.user_id = @user_id::uuid;

-- name: ListMemberIconHashes :many
-- What the icons of members are at present, for as many as 1000 of them; of those who have one.
SELECT i.user_id, i.content_hash
FROM member_icons AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.user_id = ANY (@user_ids::uuid[])
LIMIT 1000;

-- name: PutMemberIcon :exec
-- Gives a member an icon that somebody chose by hand. Of several at once the last one stays.
INSERT INTO member_icons AS i (organization_id, user_id, content_hash, content_type, content, source_url)
VALUES (@organization_id::uuid, @user_id::uuid, @content_hash::bytea, @content_type::text, @content::bytea, NULL)
ON CONFLICT (organization_id, user_id) DO UPDATE
SET content_hash = EXCLUDED.content_hash,
    content_type = EXCLUDED.content_type,
    content      = EXCLUDED.content,
    source_url   = NULL,
    changed_at   = greatest(clock_timestamp(), i.changed_at + interval '1 microsecond');

-- name: ImportMemberIcon :one
-- Gives a member who is not suspended the icon that an address led to, unless they have one that was chosen by hand, or this very one. No row: nothing was
-- changed.
INSERT INTO member_icons AS i (organization_id, user_id, content_hash, content_type, content, source_url)
SELECT m.organization_id, m.user_id, @content_hash::bytea, @content_type::text, @content::bytea, @source_url::text
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid
  AND m.suspended_at IS NULL
ON CONFLICT (organization_id, user_id) DO UPDATE
SET content_hash = EXCLUDED.content_hash,
    content_type = EXCLUDED.content_type,
    content      = EXCLUDED.content,
    source_url   = EXCLUDED.source_url,
    changed_at   = greatest(clock_timestamp(), i.changed_at + interval '1 microsecond')
WHERE i.source_url IS NOT NULL
  AND (i.source_url <> EXCLUDED.source_url OR i.content_hash <> EXCLUDED.content_hash)
RETURNING i.user_id;

-- name: DeleteMemberIcon :one
-- Takes a member's icon away. No row: there was none.
DELETE FROM member_icons AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.user_id = @user_id::uuid
RETURNING i.user_id;
