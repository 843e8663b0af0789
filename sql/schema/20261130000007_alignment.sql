-- migrate:up

-- What an objective supports beside the parent that it contributes to. It is added and taken away beside the objective and raises no revision.
CREATE TABLE objective_links (
    organization_id uuid NOT NULL,
    objective_id    uuid NOT NULL,
    supported_id    uuid NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, objective_id, supported_id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, supported_id) REFERENCES objectives (organization_id, id),
    CONSTRAINT objective_links_not_itself CHECK (supported_id <> objective_id)
);
CREATE INDEX objective_links_of_supported ON objective_links (organization_id, supported_id, objective_id);

-- A level of the alignment counts what is beneath it, so what says who may see an objective is in the index.
DROP INDEX objectives_of_parent;
CREATE INDEX objectives_of_parent ON objectives (organization_id, parent_objective_id, id) INCLUDE (archived_at, visibility, owner_id, team_id) WHERE parent_objective_id IS NOT NULL;

-- The alignment is read level by level: the roots of a cycle, what has a parent, and what contributes to one key result.
CREATE INDEX objectives_roots ON objectives (organization_id, cycle_id, id) WHERE parent_objective_id IS NULL AND archived_at IS NULL;
CREATE INDEX objectives_with_parent ON objectives (organization_id, cycle_id, id) WHERE parent_objective_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX objectives_of_parent_key_result ON objectives (organization_id, parent_key_result_id, id) WHERE parent_key_result_id IS NOT NULL;
CREATE INDEX objectives_by_title ON objectives (organization_id, cycle_id, title, id);

-- Search. A text is folded to one way of writing it: width, case, accents and kana no longer matter. The order of steps does: what is decomposed loses its accents
-- and keeps its voicing marks, which are composed again.
CREATE FUNCTION search_fold(written text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN octet_length(written) = char_length(written) THEN lower(written)
                ELSE lower(normalize(translate(regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g'),
                    'ぁあぃいぅうぇえぉおかきくけこさしすせそたちっつてとなにぬねのはひふへほまみむめもゃやゅゆょよらりるれろゎわゐゑをんゕゖゝ',
                    'ァアィイゥウェエォオカキクケコサシスセソタチッツテトナニヌネノハヒフヘホマミムメモャヤュユョヨラリルレロヮワヰヱヲンヵヶヽ'), NFKC)) END
$$;

-- Whether a word is written without spaces between words, in kana or kanji, and is therefore looked for within.
CREATE FUNCTION search_is_dense(word text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT word ~ '^[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]' $$;

-- The words of a text, folded, each between single spaces. Kana and kanji are words of their own, up to the next mark or other script.
CREATE FUNCTION search_text(written text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT regexp_replace(CASE WHEN octet_length(written) = char_length(written) THEN ' ' || search_fold(written) || ' '
                               ELSE regexp_replace(' ' || search_fold(written) || ' ',
                                    '([\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)', ' \1 ', 'g') END,
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3040\u30a0\u30fb\ufe00-\ufe6f\uff00-\uffef]+', ' ', 'g')
$$;

-- What a text is found by: its words, of a long one the beginning; of kana and kanji each two neighbours, and the last one alone, so that each one begins a term.
-- A term may come more than once. Nothing here is STRICT or sorted, so that PostgreSQL inlines it: as a call it would take ten times as long.
CREATE FUNCTION search_terms(written text) RETURNS TABLE (term text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 12
AS $$
    SELECT CASE WHEN d.dense THEN substr(w.word, i, 2) ELSE left(w.word, 40) END
    FROM string_to_table(search_text(written), ' ') AS w (word)
    CROSS JOIN LATERAL (SELECT search_is_dense(w.word) AS dense) AS d
    CROSS JOIN LATERAL generate_series(1, CASE WHEN d.dense THEN char_length(w.word) ELSE 1 END) AS i
    WHERE w.word <> ''
$$;

-- Whether a text has a word of what somebody looks for, which search_text has folded: kana and kanji anywhere, anything else where a word begins.
CREATE FUNCTION search_contains(searched text, word text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT position(CASE WHEN search_is_dense(word) THEN word ELSE ' ' || word END IN searched) > 0 $$;

-- The terms of objectives' titles and of those of their key results in use; of members' names and addresses, and of teams' names. Written by the triggers below alone,
-- as the tables' owner, whoever writes what they are made from. Equality and order on these columns is all that the search asks for, since nothing else would be done by an index beneath row-level security.
CREATE TABLE objective_terms (
    organization_id uuid NOT NULL,
    term            text COLLATE "C" NOT NULL,
    objective_id    uuid NOT NULL,
    PRIMARY KEY (organization_id, term, objective_id)
);
CREATE TABLE name_terms (
    organization_id uuid NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('member', 'team')),
    term            text COLLATE "C" NOT NULL,
    target_id       uuid NOT NULL,
    PRIMARY KEY (organization_id, kind, term, target_id)
);

CREATE FUNCTION add_terms_of_objectives() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    INSERT INTO objective_terms (organization_id, term, objective_id)
    SELECT DISTINCT a.organization_id, t.term COLLATE "C" AS term, a.id
    FROM added AS a CROSS JOIN LATERAL search_terms(a.title) AS t
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION add_terms_of_key_results() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    INSERT INTO objective_terms (organization_id, term, objective_id)
    SELECT DISTINCT a.organization_id, t.term COLLATE "C" AS term, a.objective_id
    FROM added AS a CROSS JOIN LATERAL search_terms(a.title) AS t
    WHERE a.archived_at IS NULL
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- Terms of a text that an objective no longer has, unless its title or another of its key results has them too.
CREATE FUNCTION forget_terms(of_organization uuid, of_objective uuid, written text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
    DELETE FROM objective_terms AS x
    WHERE x.organization_id = of_organization
      AND x.objective_id = of_objective
      AND x.term = ANY (ARRAY(SELECT t.term FROM search_terms(written) AS t
                              EXCEPT SELECT t.term FROM objectives AS o CROSS JOIN LATERAL search_terms(o.title) AS t WHERE o.organization_id = of_organization AND o.id = of_objective
                              EXCEPT SELECT t.term FROM key_results AS k CROSS JOIN LATERAL search_terms(k.title) AS t
                                     WHERE k.organization_id = of_organization AND k.objective_id = of_objective AND k.archived_at IS NULL))
$$;
REVOKE EXECUTE ON FUNCTION forget_terms FROM PUBLIC;

CREATE FUNCTION change_terms_of_objective() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    PERFORM forget_terms(OLD.organization_id, OLD.id, OLD.title);
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO objective_terms (organization_id, term, objective_id)
        SELECT NEW.organization_id, t.term, NEW.id FROM search_terms(NEW.title) AS t
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION change_terms_of_key_result() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    PERFORM forget_terms(OLD.organization_id, OLD.objective_id, OLD.title);
    IF TG_OP = 'UPDATE' AND NEW.archived_at IS NULL THEN
        INSERT INTO objective_terms (organization_id, term, objective_id)
        SELECT NEW.organization_id, t.term, NEW.objective_id FROM search_terms(NEW.title) AS t
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

-- The planner takes the words of a text for a thousand, which would have each edit compiled: hence no JIT in these functions. Rows that are added come by the thousand; of those that change, a title is what seldom changes, and a check-in is not to pay for looking.
CREATE TRIGGER add_terms AFTER INSERT ON objectives REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_terms_of_objectives();
CREATE TRIGGER add_terms AFTER INSERT ON key_results REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_terms_of_key_results();
CREATE TRIGGER change_terms AFTER UPDATE ON objectives FOR EACH ROW WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION change_terms_of_objective();
CREATE TRIGGER change_terms AFTER UPDATE ON key_results FOR EACH ROW
    WHEN (OLD.title IS DISTINCT FROM NEW.title OR (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL) OR OLD.objective_id <> NEW.objective_id)
    EXECUTE FUNCTION change_terms_of_key_result();
CREATE TRIGGER forget_terms AFTER DELETE ON objectives FOR EACH ROW EXECUTE FUNCTION change_terms_of_objective();
CREATE TRIGGER forget_terms AFTER DELETE ON key_results FOR EACH ROW EXECUTE FUNCTION change_terms_of_key_result();

CREATE FUNCTION add_terms_of_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    INSERT INTO name_terms (organization_id, kind, term, target_id)
    SELECT DISTINCT a.organization_id, 'member', t.term COLLATE "C" AS term, a.user_id
    FROM added AS a JOIN users AS u ON u.id = a.user_id CROSS JOIN LATERAL search_terms(u.name || ' ' || u.email) AS t
    ORDER BY 1, 3, 4
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION add_terms_of_teams() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    INSERT INTO name_terms (organization_id, kind, term, target_id)
    SELECT DISTINCT a.organization_id, 'team', t.term COLLATE "C" AS term, a.id
    FROM added AS a CROSS JOIN LATERAL search_terms(a.name) AS t
    ORDER BY 1, 3, 4
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- A person's name is in each of their organisations.
CREATE FUNCTION change_terms_of_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    DELETE FROM name_terms AS x
    USING memberships AS m
    WHERE m.user_id = NEW.id AND x.organization_id = m.organization_id AND x.kind = 'member' AND x.target_id = NEW.id
      AND x.term = ANY (ARRAY(SELECT t.term FROM search_terms(OLD.name || ' ' || OLD.email) AS t EXCEPT SELECT t.term FROM search_terms(NEW.name || ' ' || NEW.email) AS t));
    INSERT INTO name_terms (organization_id, kind, term, target_id)
    SELECT m.organization_id, 'member', t.term, NEW.id FROM memberships AS m CROSS JOIN LATERAL search_terms(NEW.name || ' ' || NEW.email) AS t WHERE m.user_id = NEW.id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION change_terms_of_team() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    DELETE FROM name_terms AS x
    WHERE x.organization_id = OLD.organization_id AND x.kind = 'team' AND x.target_id = OLD.id AND x.term = ANY (ARRAY(SELECT t.term FROM search_terms(OLD.name) AS t));
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO name_terms (organization_id, kind, term, target_id)
        SELECT NEW.organization_id, 'team', t.term, NEW.id FROM search_terms(NEW.name) AS t
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION forget_terms_of_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    DELETE FROM name_terms AS x
    WHERE x.organization_id = OLD.organization_id AND x.kind = 'member' AND x.target_id = OLD.user_id
      AND x.term = ANY (ARRAY(SELECT t.term FROM users AS u CROSS JOIN LATERAL search_terms(u.name || ' ' || u.email) AS t WHERE u.id = OLD.user_id));
    RETURN NULL;
END $$;

CREATE TRIGGER add_terms AFTER INSERT ON memberships REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_terms_of_members();
CREATE TRIGGER add_terms AFTER INSERT ON teams REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_terms_of_teams();
CREATE TRIGGER change_terms AFTER UPDATE ON users FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION change_terms_of_user();
CREATE TRIGGER change_terms AFTER UPDATE ON teams FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION change_terms_of_team();
CREATE TRIGGER forget_terms AFTER DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION forget_terms_of_member();
CREATE TRIGGER forget_terms AFTER DELETE ON teams FOR EACH ROW EXECUTE FUNCTION change_terms_of_team();

INSERT INTO objective_terms (organization_id, term, objective_id)
SELECT DISTINCT x.organization_id, t.term COLLATE "C" AS term, x.objective_id
FROM (SELECT o.organization_id, o.id AS objective_id, o.title FROM objectives AS o
      UNION ALL SELECT k.organization_id, k.objective_id, k.title FROM key_results AS k WHERE k.archived_at IS NULL) AS x
CROSS JOIN LATERAL search_terms(x.title) AS t
ORDER BY 1, 2, 3;
INSERT INTO name_terms (organization_id, kind, term, target_id)
SELECT DISTINCT x.organization_id, x.kind, t.term COLLATE "C" AS term, x.target_id
FROM (SELECT m.organization_id, 'member' AS kind, m.user_id AS target_id, u.name || ' ' || u.email AS name FROM memberships AS m JOIN users AS u ON u.id = m.user_id
      UNION ALL SELECT t.organization_id, 'team', t.id, t.name FROM teams AS t) AS x
CROSS JOIN LATERAL search_terms(x.name) AS t
ORDER BY 1, 2, 3, 4;

GRANT SELECT, INSERT, DELETE ON objective_links TO kakeai_app;
GRANT SELECT ON objective_terms, name_terms TO kakeai_app;
ALTER TABLE objective_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE objective_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE name_terms      ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON objective_links USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON objective_terms USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON name_terms      USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TRIGGER add_terms ON objectives;
DROP TRIGGER add_terms ON key_results;
DROP TRIGGER add_terms ON memberships;
DROP TRIGGER add_terms ON teams;
DROP TRIGGER change_terms ON objectives;
DROP TRIGGER change_terms ON key_results;
DROP TRIGGER change_terms ON users;
DROP TRIGGER change_terms ON teams;
DROP TRIGGER forget_terms ON objectives;
DROP TRIGGER forget_terms ON key_results;
DROP TRIGGER forget_terms ON memberships;
DROP TRIGGER forget_terms ON teams;
DROP FUNCTION add_terms_of_objectives, add_terms_of_key_results, add_terms_of_members, add_terms_of_teams, change_terms_of_objective, change_terms_of_key_result,
    change_terms_of_user, change_terms_of_team, forget_terms_of_member, forget_terms;
DROP TABLE name_terms, objective_terms, objective_links;
DROP FUNCTION search_contains, search_terms, search_text, search_is_dense, search_fold;
DROP INDEX objectives_by_title, objectives_of_parent_key_result, objectives_with_parent, objectives_roots, objectives_of_parent;
CREATE INDEX objectives_of_parent ON objectives (organization_id, parent_objective_id, id) WHERE parent_objective_id IS NOT NULL;
