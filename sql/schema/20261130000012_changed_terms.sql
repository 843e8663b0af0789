-- migrate:up

-- A title that is edited has its terms changed by statements whose plans a connection keeps. As they were, in a function in SQL, they were planned anew for each edit, which took many times what the rest of it does.

-- The terms of a text, each once.
CREATE FUNCTION search_term_array(written text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    IF octet_length(written) = char_length(written) THEN -- no kana, no kanji: what search_terms would do of words alone
        RETURN ARRAY(SELECT DISTINCT left(w.word, 40) FROM string_to_table(search_text(written), ' ') AS w (word) WHERE w.word <> '');
    END IF;
    RETURN ARRAY(SELECT DISTINCT t.term FROM search_terms(written) AS t);
END $$;

-- Changes the terms of an objective from those of one of its texts to those of another. A term that it loses stays if its title or another of its key results has it too: what there is has been changed already.
CREATE FUNCTION change_terms(of_organization uuid, of_objective uuid, had text[], has text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
DECLARE
    lost text[];
    kept text;
BEGIN
    INSERT INTO objective_terms (organization_id, term, objective_id)
    SELECT of_organization, t.term, of_objective FROM unnest(has) AS t (term) WHERE t.term <> ALL (had)
    ON CONFLICT DO NOTHING;
    lost := ARRAY(SELECT t.term FROM unnest(had) AS t (term) WHERE t.term <> ALL (has));
    IF lost = '{}' THEN
        RETURN;
    END IF;
    FOR kept IN
        SELECT o.title FROM objectives AS o WHERE o.organization_id = of_organization AND o.id = of_objective
        UNION ALL
        SELECT k.title FROM key_results AS k WHERE k.organization_id = of_organization AND k.objective_id = of_objective AND k.archived_at IS NULL
    LOOP
        lost := ARRAY(SELECT t.term FROM unnest(lost) AS t (term) WHERE t.term <> ALL (search_term_array(kept)));
        EXIT WHEN lost = '{}';
    END LOOP;
    DELETE FROM objective_terms AS x WHERE x.organization_id = of_organization AND x.objective_id = of_objective AND x.term = ANY (lost);
END $$;
REVOKE EXECUTE ON FUNCTION change_terms FROM PUBLIC;

CREATE OR REPLACE FUNCTION change_terms_of_objective() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    PERFORM change_terms(OLD.organization_id, OLD.id, search_term_array(OLD.title), CASE WHEN TG_OP = 'UPDATE' THEN search_term_array(NEW.title) ELSE '{}' END);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION change_terms_of_key_result() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET jit = off
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.objective_id <> NEW.objective_id THEN
        PERFORM change_terms(OLD.organization_id, OLD.objective_id, search_term_array(OLD.title), '{}');
        IF NEW.archived_at IS NULL THEN
            PERFORM change_terms(NEW.organization_id, NEW.objective_id, '{}', search_term_array(NEW.title));
        END IF;
        RETURN NULL;
    END IF;
    PERFORM change_terms(OLD.organization_id, OLD.objective_id,
        CASE WHEN OLD.archived_at IS NULL THEN search_term_array(OLD.title) ELSE '{}' END,
        CASE WHEN TG_OP = 'UPDATE' AND NEW.archived_at IS NULL THEN search_term_array(NEW.title) ELSE '{}' END);
    RETURN NULL;
END $$;

DROP FUNCTION forget_terms;

-- migrate:down
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
CREATE OR REPLACE FUNCTION change_terms_of_objective() RETURNS trigger
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
CREATE OR REPLACE FUNCTION change_terms_of_key_result() RETURNS trigger
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
DROP FUNCTION change_terms, search_term_array;
