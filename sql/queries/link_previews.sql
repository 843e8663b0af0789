-- name: ListLinkPreviews :many
-- The previews of links by the hashes of their URLs (fetch.Hash), outdated ones too: of at most 500, and in the order of the hashes. Those that are not there have not been fetched yet.
SELECT p.*
FROM link_previews AS p
WHERE p.organization_id = @organization_id::uuid AND p.url_hash = ANY(@url_hashes::bytea[])
ORDER BY p.url_hash
LIMIT 500;

-- name: ListFreshLinkPreviewHashes :many
-- Of at most 500 hashes, those whose preview need not be fetched now, be it that nothing could be.
SELECT p.url_hash
FROM link_previews AS p
WHERE p.organization_id = @organization_id::uuid AND p.url_hash = ANY(@url_hashes::bytea[])
  AND p.expires_at > coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
ORDER BY p.url_hash
LIMIT 500;

-- name: PutLinkPreview :exec
-- What came of fetching a link, for @seconds from now. A failure leaves what an earlier fetch had brought, and only says so beside it; a refusal does not, since where the link leads has changed.
INSERT INTO link_previews AS p (organization_id, url_hash, url, state, title, description, site_name, image_url, failure, fetched_at, expires_at)
VALUES (@organization_id::uuid, @url_hash::bytea, @url::text, @state::text, sqlc.narg(title)::text, sqlc.narg(description)::text, sqlc.narg(site_name)::text,
        sqlc.narg(image_url)::text, sqlc.narg(failure)::text, coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()),
        coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @seconds::float8))
ON CONFLICT (organization_id, url_hash) DO UPDATE
SET state       = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.state       ELSE excluded.state       END,
    title       = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.title       ELSE excluded.title       END,
    description = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.description ELSE excluded.description END,
    site_name   = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.site_name   ELSE excluded.site_name   END,
    image_url   = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.image_url   ELSE excluded.image_url   END,
    fetched_at  = CASE WHEN excluded.state = 'failed' AND p.state = 'fetched' THEN p.fetched_at  ELSE excluded.fetched_at  END,
    failure     = excluded.failure,
    expires_at  = excluded.expires_at;

-- name: DeleteUnusedLinkPreviews :execrows
-- Forgets previews that have been outdated since @before and that no meeting shows any more, at most @page_size of them.
DELETE FROM link_previews AS p
WHERE p.organization_id = @organization_id::uuid
  AND p.url_hash IN (
      SELECT old.url_hash
      FROM link_previews AS old
      WHERE old.organization_id = @organization_id::uuid AND old.expires_at < @before::timestamptz
        AND NOT EXISTS (SELECT FROM meeting_materials AS m WHERE m.organization_id = @organization_id::uuid AND m.url_hash = old.url_hash)
      ORDER BY old.expires_at
      LIMIT least(@page_size::int, 1000));
