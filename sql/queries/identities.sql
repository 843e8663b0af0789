-- name: GetIdentity :one
-- Whose identity at a provider it is. No row: nobody has signed in with it yet.
SELECT i.user_id, u.email
FROM identities AS i
JOIN users AS u ON u.id = i.user_id
WHERE i.issuer = @issuer::text
  AND i.subject = @subject::text;

-- name: PutIdentity :one
-- Notes that somebody signs in with an identity, and where its picture is now. No row: it has become somebody else's meanwhile. A person has at most one
-- identity at each provider: a second one is refused by identities_one_per_issuer.
INSERT INTO identities AS i (issuer, subject, user_id, picture_url)
VALUES (@issuer::text, @subject::text, @user_id::uuid, sqlc.narg(picture_url)::text)
ON CONFLICT (issuer, subject) DO UPDATE
SET picture_url  = EXCLUDED.picture_url,
    signed_in_at = clock_timestamp()
WHERE i.user_id = EXCLUDED.user_id
RETURNING i.user_id;

-- name: CreateSessionOfMember :one
-- Signs in a member whom an identity provider has vouched for, if the membership still stands. No row: not any more.
WITH still AS (
    SELECT m.organization_id, m.user_id
    FROM memberships AS m
    WHERE m.organization_id = @organization_id::uuid
      AND m.user_id = @user_id::uuid
      AND m.suspended_at IS NULL
    FOR SHARE OF m
)
INSERT INTO sessions (organization_id, token_hash, id, user_id, user_agent, address, expires_at)
SELECT s.organization_id, @token_hash::bytea, @id::uuid, s.user_id, @user_agent::text, @address::text,
       clock_timestamp() + make_interval(secs => @lifetime_seconds::int)
FROM still AS s
RETURNING *;
