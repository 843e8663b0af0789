-- name: GetRuntimeState :one
-- The oldest release that may write, and whether anything may. Only true while the fence's lock is held, in a statement after the one that took it.
SELECT r.minimum_release, r.mode
FROM runtime_state AS r;

-- name: GetServerTime :one
-- The database's clock, and proof that it answers.
SELECT clock_timestamp()::timestamptz AS now;

-- name: GetLogin :one
-- What the present login could do to row-level security: a superuser, one that bypasses it, or an owner of the tables walks around it.
SELECT r.rolname::text AS name,
       (r.rolsuper OR r.rolbypassrls)::bool AS bypasses,
       pg_has_role(c.relowner, 'MEMBER')::bool AS owns
FROM pg_catalog.pg_roles AS r
JOIN pg_catalog.pg_class AS c ON c.oid = 'objectives'::regclass
WHERE r.rolname = current_user;

-- name: GetKeyFingerprint :one
-- The fingerprint that the processes of this installation share. No row: none of them has had a key yet.
SELECT k.fingerprint, k.noted_at
FROM key_fingerprints AS k
WHERE k.name = @name::text;

-- name: NoteKeyFingerprint :exec
-- Notes the fingerprint of the first process that has a key. One that is there stays.
INSERT INTO key_fingerprints (name, fingerprint)
VALUES (@name::text, @fingerprint::bytea)
ON CONFLICT (name) DO NOTHING;

-- name: ReplaceKeyFingerprint :exec
-- Has another key be the one from now on.
INSERT INTO key_fingerprints AS k (name, fingerprint)
VALUES (@name::text, @fingerprint::bytea)
ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, noted_at = clock_timestamp()
WHERE k.fingerprint <> excluded.fingerprint;
