-- migrate:up

-- A title that is edited has its terms changed by statements whose plans a connection keeps. As they were, in a function in SQL, they were planned anew for each edit, which took many times what the rest of it does.

-- The terms of a text, as search_terms has them. Here and below, what is written as an assignment costs a fraction of what a statement would.
CREATE FUNCTION search_term_array(written text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    terms text[];
BEGIN
    IF octet_length(written) <> char_length(written) THEN
        RETURN ARRAY(SELECT DISTINCT t.term FROM search_terms(written) AS t);
    END IF;
    terms := string_to_array(btrim(search_text(written)), ' '); -- no kana and no kanji: nothing but words
    IF char_length(written) > 40 THEN
        FOR n IN 1 .. cardinality(terms) LOOP
            IF char_length(terms[n]) > 40 THEN
                terms[n] := left(terms[n], 40);
            END IF;
        END LOOP;
    END IF;
    RETURN terms;
END $$;

-- Changes the terms of an objective from those of one of its texts to those of another. A term that it loses stays if its title or another of its key results has it too: what there is has been changed already.
CREATE FUNCTION change_terms(of_organization uuid, of_objective uuid, had text[], has text[]) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    gained text[] := '{}';
    lost   text[] := '{}';
    one    text;
    kept   text; -- all texts as they are now, folded
BEGIN
    FOREACH one IN ARRAY has LOOP
        IF one <> ALL (had) THEN
            gained := gained || one;
        END IF;
    END LOOP;
    IF gained <> '{}' THEN
        INSERT INTO objective_terms (organization_id, term, objective_id)
        SELECT of_organization, t.term, of_objective FROM unnest(gained) AS t (term)
        ON CONFLICT DO NOTHING;
    END IF;
    FOREACH one IN ARRAY had LOOP
        IF one <> ALL (has) THEN
            lost := lost || one;
        END IF;
    END LOOP;
    IF lost = '{}' THEN
        RETURN;
    END IF;
    SELECT coalesce(search_text(string_agg(x.title, ' / ')), '') INTO kept
    FROM (SELECT o.title FROM objectives AS o WHERE o.organization_id = of_organization AND o.id = of_objective
          UNION ALL
          SELECT k.title FROM key_results AS k WHERE k.organization_id = of_organization AND k.objective_id = of_objective AND k.archived_at IS NULL) AS x;
    had := '{}';
    FOREACH one IN ARRAY lost LOOP
        -- A word stands between spaces, or begins behind one where only its beginning is a term; two kana or kanji stand anywhere, and one of them alone at the end of a stretch.
        IF position(CASE WHEN NOT search_is_dense(one) THEN ' ' || one || CASE WHEN char_length(one) < 40 THEN ' ' ELSE '' END
                         WHEN char_length(one) = 1 THEN one || ' '
                         ELSE one END IN kept) = 0 THEN
            had := had || one;
        END IF;
    END LOOP;
    IF had <> '{}' THEN
        DELETE FROM objective_terms AS x WHERE x.organization_id = of_organization AND x.objective_id = of_objective AND x.term = ANY (had);
    END IF;
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
