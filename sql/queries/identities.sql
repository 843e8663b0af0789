-- name: GetIdentity :one
-- Whose identity at a provider it is. No row: nobody has signed in with it yet.
SELECT i.user_id, u.email
FROM identities AS i
JOIN users AS u ON u.id = i.user_id
WHERE i.issuer = @issuer::text
  AND i.subject = @subject::text;

-- name: IsIdentityRemoved :one
-- Whether a person has removed their identity at a provider, so that their e-mail address does not lead to them there.
SELECT EXISTS (
    SELECT 1
    FROM removed_identities AS r
    WHERE r.user_id = @user_id::uuid
      AND r.issuer = @issuer::text);

-- name: LockPerson :one
-- Holds a person until the transaction ends: what they sign in with changes one after the other.
SELECT u.id
FROM users AS u
WHERE u.id = @user_id::uuid
FOR NO KEY UPDATE;

-- name: NoteSignIn :one
-- Notes that somebody signs in with an identity of theirs, and what its provider says of them now. No row: it is not theirs any more.
UPDATE identities AS i
SET picture_url  = sqlc.narg(picture_url)::text,
    shown_as     = sqlc.narg(shown_as)::text,
    signed_in_at = clock_timestamp()
WHERE i.issuer = @issuer::text
  AND i.subject = @subject::text
  AND i.user_id = @user_id::uuid
RETURNING i.user_id;

-- name: PutIdentity :one
-- Gives a person, whom the transaction holds, the identity that somebody with their e-mail address signs in with. No row: it has become somebody else's meanwhile, or the person wants none of this
-- provider. A person has at most one identity at each provider: a second one is refused by identities_one_per_issuer.
INSERT INTO identities AS i (issuer, subject, user_id, id, picture_url, shown_as)
SELECT @issuer::text, @subject::text, @user_id::uuid, @id::uuid, sqlc.narg(picture_url)::text, sqlc.narg(shown_as)::text
WHERE NOT EXISTS (
    SELECT 1
    FROM removed_identities AS r
    WHERE r.user_id = @user_id::uuid
      AND r.issuer = @issuer::text)
ON CONFLICT (issuer, subject) DO UPDATE
SET picture_url  = EXCLUDED.picture_url,
    shown_as     = EXCLUDED.shown_as,
    signed_in_at = clock_timestamp()
WHERE i.user_id = EXCLUDED.user_id
RETURNING i.user_id;

-- name: ListIdentitiesOfUser :many
-- What a person signs in with at identity providers, one at each.
SELECT i.id, i.issuer, i.subject, i.shown_as, i.created_at, i.signed_in_at
FROM identities AS i
WHERE i.user_id = @user_id::uuid
ORDER BY i.issuer
LIMIT 50;

-- name: LinkIdentity :one
-- Gives a person, whom the transaction holds, an identity that they have shown to be theirs, and returns its id: another one than @id if they had it already. No row: it is somebody else's, and stays
-- theirs. A second one of the same provider is refused by identities_one_per_issuer.
WITH wanted AS (
    DELETE FROM removed_identities AS r
    WHERE r.user_id = @user_id::uuid
      AND r.issuer = @issuer::text
)
INSERT INTO identities AS i (issuer, subject, user_id, id, picture_url, shown_as)
VALUES (@issuer::text, @subject::text, @user_id::uuid, @id::uuid, sqlc.narg(picture_url)::text, sqlc.narg(shown_as)::text)
ON CONFLICT (issuer, subject) DO UPDATE
SET picture_url = EXCLUDED.picture_url,
    shown_as    = EXCLUDED.shown_as
WHERE i.user_id = EXCLUDED.user_id
RETURNING i.id;

-- name: RemoveIdentity :one
-- Takes an identity from a person whom the transaction holds, and has their e-mail address lead to them no more at that provider. It waits for sign-ins with it that are under way. No row: it is gone.
WITH gone AS (
    DELETE FROM identities AS i
    WHERE i.user_id = @user_id::uuid
      AND i.id = @id::uuid
    RETURNING i.user_id, i.issuer
)
INSERT INTO removed_identities AS r (user_id, issuer)
SELECT g.user_id, g.issuer
FROM gone AS g
ON CONFLICT (user_id, issuer) DO UPDATE
SET removed_at = clock_timestamp()
RETURNING r.user_id;

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
