-- name: SplitSearch :many
-- The words of what somebody looks for, folded as the terms are: the first 16. Dense ones are kana or kanji, which are looked for within.
SELECT w.word::text AS word, search_is_dense(w.word)::bool AS dense
FROM (SELECT unnest(string_to_array(btrim(search_text(@written::text)), ' ')) AS word) AS w
WHERE w.word <> ''
LIMIT 16;

-- name: MatchObjectives :many
-- Of as many as 1000 objectives those that the actor may see, that are not archived and that have all the words, in their titles or in those of their key results in use: the best 201.
-- Rank is 0 where the title is what was looked for, 1 where it begins with it, 2 where it has all of it, 3 where key results have the rest; in each, the newest come first.
-- Proven says that what they have been found by leaves nothing to compare. What is folded is folded once, which an inlined CTE would not do.
WITH candidates AS MATERIALIZED (
    SELECT o.id, search_text(o.title) AS title
    FROM objectives AS o
    WHERE o.organization_id = @organization_id::uuid
      AND o.id = ANY (@ids::uuid[])
      AND o.archived_at IS NULL
      AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
      AND (sqlc.narg(without_id)::uuid IS NULL OR o.id <> sqlc.narg(without_id)::uuid)
      AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
), matches AS MATERIALIZED (
    SELECT m.id,
           (CASE WHEN m.title = @whole::text THEN 0
                 WHEN starts_with(m.title, rtrim(@whole::text)) THEN 1
                 WHEN NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE NOT search_contains(m.title, w.word)) THEN 2
                 WHEN @proven::bool THEN 3
                 WHEN NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word)
                                  WHERE NOT search_contains(m.title || coalesce((SELECT string_agg(search_text(k.title), '' ORDER BY k.position, k.id)
                                                                                 FROM key_results AS k
                                                                                 WHERE k.organization_id = @organization_id::uuid
                                                                                   AND k.objective_id = m.id
                                                                                   AND k.archived_at IS NULL), ''), w.word)) THEN 3 END)::int AS rank
    FROM candidates AS m
)
SELECT m.id, m.rank::int AS rank
FROM matches AS m
WHERE m.rank IS NOT NULL
ORDER BY m.rank, m.id DESC
LIMIT 201;

-- name: ListMatchingObjectives :many
-- Of as many as 1000 objectives that the actor was found to see, those that have all the words, as MatchObjectives.
SELECT o.id
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
  AND NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word)
                  WHERE NOT search_contains(search_text(o.title) || coalesce((SELECT string_agg(search_text(k.title), '' ORDER BY k.position, k.id)
                                                                              FROM key_results AS k
                                                                              WHERE k.organization_id = @organization_id::uuid
                                                                                AND k.objective_id = o.id
                                                                                AND k.archived_at IS NULL), ''), w.word))
LIMIT 1000;

-- name: ListMatchingKeyResults :many
-- The key results in use of as many as 200 objectives that have any of the words in their titles.
SELECT k.objective_id, k.id, k.title
FROM key_results AS k
JOIN objectives AS o ON o.organization_id = k.organization_id AND o.id = k.objective_id
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = ANY (@ids::uuid[])
  AND k.archived_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
  AND EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE search_contains(search_text(k.title), w.word))
ORDER BY k.objective_id, k.position, k.id
LIMIT 10000;

-- name: MatchMembers :many
-- Of as many as 1000 members those who are not suspended and have all the words in their names or addresses, ranked as MatchObjectives; in each rank by name.
WITH candidates AS MATERIALIZED (
    SELECT u.id, u.name, u.email, search_text(u.name) AS folded, search_text(u.name || ' ' || u.email) AS whole
    FROM memberships AS m
    JOIN users AS u ON u.id = m.user_id
    WHERE m.organization_id = @organization_id::uuid
      AND m.user_id = ANY (@ids::uuid[])
      AND m.suspended_at IS NULL
      AND (sqlc.narg(without_id)::uuid IS NULL OR m.user_id <> sqlc.narg(without_id)::uuid)
)
SELECT c.id, c.name, c.email,
       (CASE WHEN c.folded = @whole::text THEN 0 WHEN starts_with(c.folded, rtrim(@whole::text)) THEN 1 ELSE 2 END)::int AS rank
FROM candidates AS c
WHERE NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE NOT search_contains(c.whole, w.word))
ORDER BY rank, c.name, c.id
LIMIT 201;

-- name: MatchTeams :many
-- Of as many as 1000 teams those that are not archived and have all the words in their names, ranked as MatchMembers.
WITH candidates AS MATERIALIZED (
    SELECT t.id, t.name, search_text(t.name) AS folded
    FROM teams AS t
    WHERE t.organization_id = @organization_id::uuid
      AND t.id = ANY (@ids::uuid[])
      AND t.archived_at IS NULL
      AND (sqlc.narg(without_id)::uuid IS NULL OR t.id <> sqlc.narg(without_id)::uuid)
)
SELECT c.id, c.name,
       (CASE WHEN c.folded = @whole::text THEN 0 WHEN starts_with(c.folded, rtrim(@whole::text)) THEN 1 ELSE 2 END)::int AS rank
FROM candidates AS c
WHERE NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE NOT search_contains(c.folded, w.word))
ORDER BY rank, c.name, c.id
LIMIT 201;

-- name: CountObjectivesWithTerm :many
-- Of each range of terms, from low to below high, how many objectives have one in it: at most 501 are counted. For as many as 64 ranges.
SELECT r.place::int AS place,
       (SELECT count(*) FROM (SELECT 1
                              FROM objective_terms AS t
                              WHERE t.organization_id = @organization_id::uuid
                                AND t.term >= r.low
                                AND t.term < r.high
                              LIMIT 501) AS s)::int AS found
FROM (SELECT unnest(@lows::text[]) AS low, unnest(@highs::text[]) AS high, unnest(@places::int[]) AS place) AS r
LIMIT 64;

-- name: ListObjectivesWithTerm :many
-- Objectives that have a term from @low to below @high: the first 501 such terms, in their order.
SELECT t.objective_id
FROM objective_terms AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.term >= @low::text
  AND t.term < @high::text
ORDER BY t.term, t.objective_id
LIMIT 501;

-- name: ListNewestObjectivesWithTerm :many
-- The newest 500 objectives that have a term.
SELECT t.objective_id
FROM objective_terms AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.term = @term::text
ORDER BY t.objective_id DESC
LIMIT 500;

-- name: CountNamesWithTerm :many
-- As CountObjectivesWithTerm, of the names of members or teams.
SELECT r.place::int AS place,
       (SELECT count(*) FROM (SELECT 1
                              FROM name_terms AS t
                              WHERE t.organization_id = @organization_id::uuid
                                AND t.kind = @kind::text
                                AND t.term >= r.low
                                AND t.term < r.high
                              LIMIT 501) AS s)::int AS found
FROM (SELECT unnest(@lows::text[]) AS low, unnest(@highs::text[]) AS high, unnest(@places::int[]) AS place) AS r
LIMIT 64;

-- name: ListNamesWithTerm :many
-- As ListObjectivesWithTerm, of the names of members or teams.
SELECT t.target_id
FROM name_terms AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.kind = @kind::text
  AND t.term >= @low::text
  AND t.term < @high::text
ORDER BY t.term, t.target_id
LIMIT 501;

-- name: ListNewestNamesWithTerm :many
-- As ListNewestObjectivesWithTerm, of the names of members or teams.
SELECT t.target_id
FROM name_terms AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.kind = @kind::text
  AND t.term = @term::text
ORDER BY t.target_id DESC
LIMIT 500;
