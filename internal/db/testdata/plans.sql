-- An installation as it may be after some years: an organisation of 10,000 people and 100,000 objectives, fifty small ones beside it and 400 that have just begun, and rows in every table.
-- Foreign keys are off meanwhile and are checked at the end. n-th rows have ids that say so, so that the arguments of queries can name them; a
-- row's number also says whose it is: the large organisation has the first of each table, and the small ones take turns with the rest.

CREATE FUNCTION pg_temp.u(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(n), 8, '0') || '-' || lpad(to_hex(kind), 4, '0') || '-7000-8000-000000000000')::uuid $$;
-- The organisation of the n-th row of a table of which the large one has the first.
CREATE FUNCTION pg_temp.o(n bigint, large bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT pg_temp.u(1, CASE WHEN n < large THEN 0 ELSE 1 + (n - large) % 50 END) $$;
-- What the n-th row refers to in another table, of which the large organisation has the first `of` and each of the others `each`; stride spreads it.
CREATE FUNCTION pg_temp.at(n bigint, large bigint, of bigint, each_has bigint, stride bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN n < large THEN n * stride % of ELSE of + (n - large) % 50 + 50 * ((n - large) / 50 % each_has) END $$;
-- The n of an id.
CREATE FUNCTION pg_temp.number(id uuid) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT ('x' || left(id::text, 8))::bit(32)::int $$;

-- People: 10,000 and 20 in each of the others. The first owns the organisation, every hundredth is an administrator, every fiftieth a viewer.
INSERT INTO organizations (id, name) SELECT pg_temp.u(1, n), 'Organisation ' || n FROM generate_series(0, 450) AS n;
INSERT INTO users (id, email, name, password_hash) SELECT pg_temp.u(2, n), 'p' || n || '@example.com', 'Person ' || n, 'hash' FROM generate_series(0, 10999) AS n;
INSERT INTO memberships (organization_id, user_id, role, suspended_at)
SELECT pg_temp.o(n, 10000), pg_temp.u(2, n), CASE WHEN n = 0 OR n BETWEEN 10000 AND 10049 THEN 'owner' WHEN n % 100 = 99 THEN 'admin' WHEN n % 50 = 25 THEN 'viewer' ELSE 'member' END,
       CASE WHEN n % 200 = 150 THEN now() END
FROM generate_series(0, 10999) AS n;
INSERT INTO teams (organization_id, id, name, changed_by) SELECT pg_temp.o(n, 1000), pg_temp.u(3, n), 'Team ' || n, pg_temp.u(2, 0) FROM generate_series(0, 1099) AS n;
-- Everybody is in two teams, and the first thousand lead one; the last ten teams have no lead.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT pg_temp.o(n, 10000), pg_temp.u(3, pg_temp.at(n, 10000, 1000, 2, 1)), pg_temp.u(2, n), CASE WHEN n < 990 OR n % 10 = 1 AND n >= 10000 THEN 'lead' ELSE 'member' END
FROM generate_series(0, 10999) AS n
UNION ALL
SELECT pg_temp.u(1, 0), pg_temp.u(3, (n * 7 + 13) % 1000), pg_temp.u(2, n), 'member' FROM generate_series(0, 9999) AS n WHERE (n * 7 + 13) % 1000 <> n % 1000;
INSERT INTO sessions (organization_id, token_hash, id, user_id, token_name, token_scope, expires_at)
SELECT pg_temp.o(n, 19000), sha256(n::text::bytea), pg_temp.u(4, n), pg_temp.u(2, pg_temp.at(n, 19000, 10000, 20, 1)),
       CASE WHEN n % 40 = 3 THEN 'Report' END, CASE WHEN n % 40 = 3 THEN 'read' END, CASE WHEN n % 100 = 50 THEN now() - interval '1 hour' ELSE now() + interval '7 days' END FROM generate_series(0, 19999) AS n;
INSERT INTO session_accesses (organization_id, session_id, accessed_at) SELECT pg_temp.o(n, 19000), pg_temp.u(4, n), now() FROM generate_series(0, 19999) AS n WHERE n % 3 > 0;
INSERT INTO identities (issuer, subject, user_id, id) SELECT 'https://login.example.com', n::text, pg_temp.u(2, n), pg_temp.u(41, n) FROM generate_series(0, 9999) AS n;
INSERT INTO removed_identities (user_id, issuer) SELECT pg_temp.u(2, n), 'https://login.example.com' FROM generate_series(1, 9999, 3) AS n;
INSERT INTO member_icons (organization_id, user_id, content_hash, content_type, content, source_url)
SELECT pg_temp.u(1, 0), pg_temp.u(2, n), sha256(n::text::bytea), 'image/png', 'x', CASE WHEN n % 2 = 0 THEN 'https://login.example.com/' || n END FROM generate_series(0, 4999) AS n;

-- Eight cycles, of which one is active and one in preparation. Objectives: 100,000, and 50 in each of the others; two key results each.
INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, state, changed_by)
SELECT pg_temp.o(n, 8), pg_temp.u(5, n), 'Cycle ' || n, (now() + (n % 8 - 7) * interval '80 days')::date, (now() + (n % 8 - 6) * interval '80 days')::date,
       CASE WHEN n = 7 OR n >= 58 AND n < 108 THEN 'active' WHEN n = 6 THEN 'preparation' ELSE 'closed' END, pg_temp.u(2, 0)
FROM generate_series(0, 107) AS n;
INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by)
SELECT pg_temp.u(1, n), pg_temp.u(5, 1000 + n), 'Cycle', now()::date, now()::date + 90, pg_temp.u(2, 0) FROM generate_series(51, 450) AS n;
INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, parent_objective_id, parent_key_result_id, title, description, kind, visibility, state, score, archived_at,
                        revision, created_by, changed_by, changed_at)
SELECT pg_temp.o(n, 100000), pg_temp.u(6, n), pg_temp.u(5, CASE WHEN state = 'closed' AND n < 100000 THEN n % 6 ELSE CASE WHEN n < 100000 THEN 7 ELSE 58 + (n - 100000) % 50 END END),
       CASE WHEN n % 10 <> 7 THEN pg_temp.u(3, pg_temp.at(n, 100000, 1000, 2, 1)) END, pg_temp.u(2, pg_temp.at(n, 100000, 10000, 20, 1)),
       -- The first has 5,000 beneath it, the others five.
       CASE WHEN n BETWEEN 1 AND 99999 THEN pg_temp.u(6, CASE WHEN n % 20 = 0 THEN 0 ELSE n / 5 END) END,
       CASE WHEN n BETWEEN 1 AND 99999 AND n % 3 = 0 THEN pg_temp.u(7, CASE WHEN n % 20 = 0 THEN 0 ELSE n / 5 * 2 END) END,
       'Objective ' || n, 'What is wanted of it, and why.', CASE WHEN n % 7 = 5 THEN 'aspirational' ELSE 'committed' END,
       CASE WHEN n % 20 = 9 THEN 'team' WHEN n % 50 = 21 THEN 'private' ELSE 'organization' END, state, CASE WHEN state = 'closed' THEN 0.5 END,
       CASE WHEN n % 100 = 31 THEN now() END, CASE WHEN n = 50242 THEN 1 ELSE 2 END, pg_temp.u(2, pg_temp.at(n, 100000, 10000, 20, 1)), pg_temp.u(2, pg_temp.at(n, 100000, 10000, 20, 1)), now() - n % 90 * interval '1 day'
FROM (SELECT n, CASE WHEN n >= 100000 THEN 'draft' WHEN n / 10000 IN (0, 1, 2, 3, 4) THEN 'closed' WHEN n / 10000 = 5 AND n % 2 = 0 THEN 'draft' WHEN n / 10000 = 5 THEN 'submitted' ELSE 'approved' END AS state
      FROM generate_series(0, 102499) AS n) AS s;
INSERT INTO key_results (organization_id, id, objective_id, position, title, owner_id, kind, baseline, target, at_least, archived_at, current_check_in_id, current_value, current_confidence, current_at)
SELECT pg_temp.o(n / 2, 100000), pg_temp.u(7, n), pg_temp.u(6, n / 2), n % 2, 'Key result ' || n,
       CASE n % 3 WHEN 0 THEN pg_temp.u(2, pg_temp.at(n / 2, 100000, 10000, 20, 31)) WHEN 1 THEN pg_temp.u(2, pg_temp.at(n / 2, 100000, 10000, 20, 1)) END,
       CASE n % 4 WHEN 1 THEN 'threshold' WHEN 3 THEN 'milestone' ELSE 'metric' END,
       CASE WHEN n % 2 = 0 THEN 10 END, CASE WHEN n % 2 = 0 THEN 20 END, CASE WHEN n % 4 = 1 THEN 95 END, CASE WHEN n % 100 = 71 THEN now() END,
       pg_temp.u(9, n), CASE WHEN n % 4 < 3 THEN 15 END, 7, now() - n % 30 * interval '1 day'
FROM generate_series(0, 204999) AS n;
INSERT INTO milestone_steps (organization_id, id, key_result_id, position, title)
SELECT pg_temp.o(n / 3 * 2 + 1, 100000), pg_temp.u(8, n), pg_temp.u(7, n / 3 * 4 + 3), n % 3, 'Step ' || n % 3 FROM generate_series(0, 153749) AS n;
INSERT INTO check_ins (organization_id, id, key_result_id, value, progress, confidence, note, corrects_id, checked_at, created_by)
SELECT pg_temp.o(n / 2, 100000), pg_temp.u(9, n), pg_temp.u(7, n), CASE WHEN n % 4 < 3 THEN 15 END, 0.5, 7, CASE WHEN n % 5 = 0 THEN 'As planned.' END, NULL,
       now() - n % 30 * interval '1 day', pg_temp.u(2, pg_temp.at(n / 2, 100000, 10000, 20, 1)) FROM generate_series(0, 204999) AS n;
-- One key result has been followed for years.
INSERT INTO check_ins (organization_id, id, key_result_id, value, progress, confidence, corrects_id, checked_at, created_by)
SELECT pg_temp.u(1, 0), pg_temp.u(9, 300000 + n), pg_temp.u(7, 128484), 14, 0.4, 6, CASE WHEN n % 10 = 5 THEN pg_temp.u(9, 300000 + n - 1) END, now() - (n - n % 10 / 5) * interval '1 day', pg_temp.u(2, 0)
FROM generate_series(31, 1030) AS n;
INSERT INTO objective_history (organization_id, objective_id, revision, action, content, changed_at, changed_by)
SELECT pg_temp.o(n, 100000), pg_temp.u(6, n), 1, 'objective.created', jsonb_build_object('title', 'Objective ' || n, 'description', repeat('What is wanted of it, and why. ', 12)), now() - n % 90 * interval '1 day',
       pg_temp.u(2, pg_temp.at(n, 100000, 10000, 20, 1)) FROM generate_series(0, 102499) AS n;
INSERT INTO objective_history (organization_id, objective_id, revision, action, content, changed_at, changed_by)
SELECT pg_temp.o(n, 100000), pg_temp.u(6, n), 2, 'objective.submitted', jsonb_build_object('title', 'Objective ' || n), now() - n % 90 * interval '1 day', pg_temp.u(2, pg_temp.at(n, 100000, 10000, 20, 1)) FROM generate_series(0, 102499) AS n WHERE n % 4 = 0;
-- One objective has been changed a thousand times, and is talked about.
INSERT INTO objective_history (organization_id, objective_id, revision, action, content, changed_at, changed_by)
SELECT pg_temp.u(1, 0), pg_temp.u(6, 64242), n, 'objective.edited', jsonb_build_object('title', 'Objective', 'description', repeat('What is wanted of it, and why. ', 12)), now(), pg_temp.u(2, 0)
FROM generate_series(3, 1002) AS n;
INSERT INTO comments (organization_id, id, objective_id, author_id, body)
SELECT pg_temp.o(n, 49000), pg_temp.u(10, n), pg_temp.u(6, CASE WHEN n % 50 = 0 AND n < 49000 THEN 64242 ELSE pg_temp.at(n, 49000, 100000, 50, 2) END), pg_temp.u(2, pg_temp.at(n, 49000, 10000, 20, 1)), 'Well said.'
FROM generate_series(0, 49999) AS n;

-- The coach: 20,000 dialogues of three messages, one of a thousand, and one of the large organisation's twenty is being answered.
INSERT INTO dialogues (organization_id, id, objective_id, title, created_by)
SELECT pg_temp.o(n, 20000), pg_temp.u(11, n), pg_temp.u(6, CASE WHEN n < 20000 AND n % 20 = 7 THEN 64242 ELSE pg_temp.at(n, 20000, 100000, 50, 5) END), 'How good is this?', pg_temp.u(2, pg_temp.at(n, 20000, 10000, 20, 5))
FROM generate_series(0, 20999) AS n;
INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by, state, attempt, lease_number, lease_expires_at, available_at, finished_at)
SELECT pg_temp.o(n, 20000), pg_temp.u(12, n), 'feedback', d.objective_id, pg_temp.u(11, n), d.created_by, state, 1, 3,
       CASE WHEN state = 'running' THEN now() + CASE n % 200 WHEN 100 THEN interval '1 hour' ELSE -interval '1 minute' END END, now() - interval '1 hour', CASE WHEN state = 'succeeded' THEN now() END
FROM (SELECT n, CASE WHEN n % 20 = 7 THEN 'succeeded' WHEN n % 100 = 50 THEN 'queued' WHEN n % 100 = 0 THEN 'running' ELSE 'succeeded' END AS state FROM generate_series(0, 20999) AS n) AS s
JOIN dialogues AS d ON d.id = pg_temp.u(11, n);
INSERT INTO messages (organization_id, id, dialogue_id, author_id, source, job_id, objective_revision, body)
SELECT pg_temp.o(n / 3, 20000), pg_temp.u(13, n), pg_temp.u(11, n / 3), CASE WHEN n % 3 < 2 THEN pg_temp.u(2, pg_temp.at(n / 3, 20000, 10000, 20, 5)) END, CASE WHEN n % 3 = 2 THEN 'rules' END,
       CASE WHEN n % 3 = 2 AND n / 3 % 50 <> 0 THEN pg_temp.u(12, n / 3) END, 2, 'How good is this, and what is missing?' FROM generate_series(0, 62999) AS n;
INSERT INTO messages (organization_id, id, dialogue_id, author_id, body)
SELECT pg_temp.u(1, 0), pg_temp.u(13, 100000 + n), pg_temp.u(11, 12848), pg_temp.u(2, 0), 'And now?' FROM generate_series(0, 999) AS n;
INSERT INTO suggestions (organization_id, id, objective_id, objective_revision, dialogue_id, message_id, source, content, state, decided_at)
SELECT pg_temp.o(n, 20000), pg_temp.u(14, n), d.objective_id, 2, d.id, pg_temp.u(13, n * 3 + 2), 'rules', '{"title": "Better"}', CASE WHEN n % 4 = 0 THEN 'open' ELSE 'accepted' END,
       CASE WHEN n % 4 <> 0 THEN now() END FROM generate_series(0, 20999) AS n JOIN dialogues AS d ON d.id = pg_temp.u(11, n);

-- Records and what is delivered of them.
INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, target_revision, actor_id, request_id, address, happened_at)
SELECT pg_temp.o(n, 145000), pg_temp.u(15, n), CASE n % 3 WHEN 0 THEN 'objective.created' WHEN 1 THEN 'objective.edited' ELSE 'check_in.created' END, 'objective', pg_temp.u(6, pg_temp.at(n, 145000, 100000, 50, 1)), 1,
       pg_temp.u(2, pg_temp.at(n, 145000, 10000, 20, 1)), 'request', '127.0.0.1', now() - (150000 - n) * interval '1 minute' FROM generate_series(0, 149999) AS n;
INSERT INTO outbox_events (organization_id, id, kind, target_id, created_at, state, attempt, lease_number, lease_expires_at, available_at, finished_at, failure)
SELECT pg_temp.o(n, 95000), pg_temp.u(15, n), CASE n % 3 WHEN 0 THEN 'mail.send' WHEN 1 THEN 'objective.edited' ELSE 'check_in.created' END, pg_temp.u(6, pg_temp.at(n, 95000, 100000, 50, 1)),
       now() - (100000 - n) * interval '1 minute', state, 1, 3, CASE WHEN state = 'running' THEN now() + CASE n % 500 WHEN 200 THEN interval '1 hour' ELSE -interval '1 minute' END END, now() - interval '1 hour',
       CASE WHEN state IN ('delivered', 'quarantined') THEN now() - n % 30 * interval '1 day' END, CASE WHEN state = 'quarantined' THEN 'failed' END
FROM (SELECT n, CASE WHEN n % 250 = 100 THEN 'waiting' WHEN n % 250 = 200 THEN 'running' WHEN n % 1000 = 10 THEN 'quarantined' ELSE 'delivered' END AS state FROM generate_series(0, 99999) AS n) AS s;
INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash, created_at)
SELECT pg_temp.o(n, 45000), pg_temp.u(2, pg_temp.at(n, 45000, 10000, 20, 1)), 'POST /api/v1/objectives', 'key ' || n, sha256('x'), now() - n % 48 * interval '1 hour' FROM generate_series(0, 49999) AS n;
INSERT INTO scheduled_runs (organization_id, name, due_at, started_at, finished_at, outcome)
SELECT pg_temp.u(1, n / 400), 'run ' || n % 4, date_trunc('day', now(), 'UTC') - n % 400 / 4 * interval '1 day', now(), CASE WHEN n % 400 >= 4 THEN now() - n % 400 / 4 * interval '1 day' END, CASE WHEN n % 400 >= 4 THEN 'succeeded' END FROM generate_series(0, 20399) AS n;
UPDATE organization_clocks SET lease_number = 3, lease_expires_at = CASE WHEN organization_id < pg_temp.u(1, 10) THEN now() + interval '1 hour' WHEN organization_id < pg_temp.u(1, 20) THEN now() - interval '1 minute' END;

-- Communication: ten notifications for each person, half of them read; mails; a broadcast to all and many to some.
INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, objective_id, title, actor_id, latest_id, read_at)
SELECT pg_temp.o(n, 95000), pg_temp.u(16, n), pg_temp.u(2, pg_temp.at(n, 95000, 10000, 20, 1)), 'objective.commented', 'objective', pg_temp.u(6, pg_temp.at(n, 95000, 100000, 50, 3)), pg_temp.u(6, pg_temp.at(n, 95000, 100000, 50, 3)),
       'Objective', pg_temp.u(2, pg_temp.at(n, 95000, 10000, 20, 7)), pg_temp.u(16, n), CASE WHEN n < 45000 THEN now() - n % 90 * interval '1 day' END FROM generate_series(0, 99999) AS n;
INSERT INTO notice_claims (organization_id, user_id, name, subject_id, claimed_at)
SELECT pg_temp.o(n, 95000), pg_temp.u(2, pg_temp.at(n, 95000, 10000, 20, 1)), 'mail:objective.commented', pg_temp.u(6, n), now() - n % 60 * interval '1 day' FROM generate_series(0, 99999) AS n;
INSERT INTO notification_preferences (organization_id, user_id, kind, mail) SELECT pg_temp.o(n, 10000), pg_temp.u(2, n), kind, 'digest' FROM generate_series(0, 10999) AS n, unnest(ARRAY['objective.commented', 'cycle.ending']) AS kind;
INSERT INTO mail_settings (organization_id, user_id, digest, unsubscribed_at) SELECT pg_temp.o(n, 10000), pg_temp.u(2, n), 'daily', CASE WHEN n % 50 = 0 THEN now() END FROM generate_series(0, 10999) AS n;
INSERT INTO mails (organization_id, id, user_id, template, state, created_at)
SELECT pg_temp.o(n, 95000), pg_temp.u(17, n), pg_temp.u(2, pg_temp.at(n, 95000, 10000, 20, 1)), 'digest', CASE n % 100 WHEN 0 THEN 'waiting' WHEN 1 THEN 'sending' ELSE 'sent' END, now() - n % 40 * interval '1 day' FROM generate_series(0, 99999) AS n;
INSERT INTO broadcasts (organization_id, id, title, body, audience, team_ids, state, scheduled_at, dispatch_id, sent_at, created_by, changed_by)
SELECT pg_temp.o(n, 900), pg_temp.u(18, n), 'Word ' || n, 'To whom it concerns.', CASE WHEN n % 2 = 0 THEN 'organization' ELSE 'teams' END, CASE WHEN n % 2 = 0 THEN '{}' ELSE ARRAY[pg_temp.u(3, pg_temp.at(n, 900, 1000, 2, 1))] END,
       state, CASE WHEN state = 'scheduled' THEN now() END, CASE WHEN state IN ('scheduled', 'sending') OR n % 50 = 10 THEN pg_temp.u(18, n) END, CASE WHEN state = 'sent' THEN now() END, pg_temp.u(2, pg_temp.at(n, 900, 10000, 20, 1)), pg_temp.u(2, 0)
FROM (SELECT n, CASE n % 50 WHEN 1 THEN 'draft' WHEN 2 THEN 'scheduled' WHEN 4 THEN 'sending' ELSE 'sent' END AS state FROM generate_series(0, 1899) AS n) AS s;
INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, mail_id, state)
SELECT pg_temp.u(1, 0), pg_temp.u(18, CASE WHEN n < 9000 THEN 0 ELSE n % 450 * 2 END), pg_temp.u(2, CASE WHEN n < 9000 THEN n ELSE 9000 + n / 450 % 200 END), pg_temp.u(17, n % 95000), CASE WHEN n % 50 = 7 THEN 'failed' WHEN n % 50 = 8 THEN 'waiting' ELSE 'delivered' END
FROM generate_series(0, 98999) AS n;
INSERT INTO webhooks (organization_id, id, url, kinds, secret, failures, failing_since, created_by, changed_by)
SELECT pg_temp.u(1, n % 51), pg_temp.u(19, n), 'https://example.com/' || n, CASE WHEN n % 2 = 0 THEN '{objective.edited}' ELSE '{*}' END::text[], sha256('x'), CASE WHEN n % 102 = 0 THEN 2 ELSE 0 END, CASE WHEN n % 102 = 0 THEN now() END, pg_temp.u(2, 0), pg_temp.u(2, 0) FROM generate_series(0, 509) AS n;
INSERT INTO webhook_deliveries (organization_id, id, webhook_id, event_id, kind, payload, state, created_at)
SELECT pg_temp.u(1, n % 10 * 51 % 51), pg_temp.u(20, n), pg_temp.u(19, n % 10 * 51), pg_temp.u(15, n), 'objective.edited', '{}', CASE n % 100 WHEN 0 THEN 'failed' WHEN 10 THEN 'waiting' ELSE 'delivered' END, now() - n % 40 * interval '1 day' FROM generate_series(0, 99999) AS n;
INSERT INTO feed_entries (organization_id, id, objective_id, action, actor_id, happened_at)
SELECT pg_temp.o(n, 95000), pg_temp.u(15, n), pg_temp.u(6, CASE WHEN n % 200 = 0 AND n < 95000 THEN 64242 ELSE pg_temp.at(n, 95000, 100000, 50, 1) END), 'objective.edited', pg_temp.u(2, pg_temp.at(n, 95000, 10000, 20, 1)), now() - (100000 - n) * interval '5 minutes'
FROM generate_series(0, 99999) AS n;
INSERT INTO link_previews (organization_id, url_hash, url, state, expires_at)
SELECT pg_temp.o(n, 4500), sha256(('https://example.com/' || n)::bytea), 'https://example.com/' || n, 'fetched', now() + (n % 40 - 35) * interval '1 day' FROM generate_series(0, 4999) AS n;

-- Meetings: 2,000 series of thirteen times and ten people; one has a thousand attendees.
INSERT INTO meetings (organization_id, id, title, team_id, organizer_id, time_zone, starts_at_local, duration_minutes, recurrence, created_by, changed_by)
SELECT pg_temp.o(n, 2000), pg_temp.u(21, n), 'Weekly', CASE WHEN n % 2 = 0 THEN pg_temp.u(3, pg_temp.at(n, 2000, 1000, 2, 1)) END, pg_temp.u(2, pg_temp.at(n, 2000, 10000, 20, 5)), 'UTC', '2026-01-01 09:00', 45, CASE WHEN n % 4 > 0 THEN 'FREQ=WEEKLY' END,
       pg_temp.u(2, 0), pg_temp.u(2, 0) FROM generate_series(0, 2999) AS n;
INSERT INTO meeting_attendees (organization_id, meeting_id, user_id)
SELECT pg_temp.o(n / 10, 2000), pg_temp.u(21, n / 10), pg_temp.u(2, CASE WHEN n < 20000 THEN (n / 10 * 5 + n % 10) % 10000 ELSE 10000 + (n / 10 - 2000) % 50 + 50 * (n % 10) END) FROM generate_series(0, 29999) AS n
UNION SELECT pg_temp.u(1, 0), pg_temp.u(21, 848), pg_temp.u(2, n) FROM generate_series(1000, 1999) AS n;
INSERT INTO meeting_agenda_items (organization_id, id, meeting_id, position, title, objective_id)
SELECT pg_temp.o(n / 3, 2000), pg_temp.u(22, n), pg_temp.u(21, n / 3), n % 3, 'Item', CASE WHEN n < 6000 THEN pg_temp.u(6, 50000 + n * 7) END FROM generate_series(0, 8999) AS n;
INSERT INTO meeting_materials (organization_id, id, meeting_id, position, url, url_hash)
SELECT pg_temp.o(n / 2, 2000), pg_temp.u(23, n), pg_temp.u(21, n / 2), n % 2, 'https://example.com/' || n, sha256(('https://example.com/' || n)::bytea) FROM generate_series(0, 5999) AS n;
INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title)
SELECT pg_temp.o(n / 2, 2000), pg_temp.u(24, n), pg_temp.u(21, n / 2), n % 2, CASE n % 2 WHEN 0 THEN 'scale' ELSE 'text' END, 'How was it?' FROM generate_series(0, 5999) AS n;
INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, survey_asked_at, changed_by)
SELECT pg_temp.o(n / 13, 2000), pg_temp.u(25, n), pg_temp.u(21, n / 13), at, at, at + interval '45 minutes', CASE WHEN n % 3 > 0 THEN at - interval '1 day' END, pg_temp.u(2, 0)
FROM (SELECT n, date_trunc('day', now(), 'UTC') + (n % 13 - 6) * interval '7 days' + n / 13 % 100 * interval '1 hour' AS at FROM generate_series(0, 38999) AS n) AS s;
INSERT INTO survey_participants (organization_id, occurrence_id, user_id)
SELECT pg_temp.u(1, 0), pg_temp.u(25, n / 3), pg_temp.u(2, (n / 39 * 5 + n % 3) % 10000) FROM generate_series(0, 59999) AS n;
INSERT INTO survey_answers (organization_id, id, occurrence_id, question_id, user_id, answer_key, scale, body)
SELECT pg_temp.u(1, 0), pg_temp.u(26, n), pg_temp.u(25, n / 6), pg_temp.u(24, n / 78 * 2 + n % 2), CASE WHEN n / 78 % 2 = 0 THEN pg_temp.u(2, (n / 78 * 5 + n % 6 / 2) % 10000) END, CASE WHEN n / 78 % 2 = 1 THEN sha256((n / 2)::text::bytea) END,
       CASE WHEN n % 2 = 0 THEN 7 END, CASE WHEN n % 2 = 1 THEN 'Well.' END FROM generate_series(0, 99999) AS n;
INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, done_at, created_by, changed_by)
SELECT pg_temp.o(n / 13, 2000), pg_temp.u(27, n), pg_temp.u(25, n), pg_temp.u(2, pg_temp.at(n / 13, 2000, 10000, 20, 5)), 'Do', now()::date, CASE WHEN n % 3 > 0 THEN now() END, pg_temp.u(2, 0), pg_temp.u(2, 0) FROM generate_series(0, 38999) AS n WHERE n % 13 < 12;
INSERT INTO meeting_notices (organization_id, id, meeting_id, kind, actor_id)
SELECT pg_temp.o(n, 2000), pg_temp.u(28, n), pg_temp.u(21, n), 'changed', pg_temp.u(2, pg_temp.at(n, 2000, 10000, 20, 5)) FROM generate_series(0, 2999) AS n;
INSERT INTO meeting_check_ins (organization_id, occurrence_id, check_in_id) SELECT pg_temp.u(1, 0), pg_temp.u(25, 5000 + n / 5), pg_temp.u(9, 120000 + n % 50000) FROM generate_series(0, 49999) AS n;
INSERT INTO calendar_feeds (organization_id, user_id, token_hash) SELECT pg_temp.u(1, 0), pg_temp.u(2, n), sha256(n::text::bytea) FROM generate_series(0, 4999) AS n;

-- What was carried over from the cycles before, and what supports what besides the tree; one objective is supported by many.
UPDATE objectives AS o SET carried_from_id = pg_temp.u(6, n - 50000), alignment_flagged = n % 20 = 2 FROM generate_series(60002, 69992, 10) AS n WHERE o.id = pg_temp.u(6, n);
UPDATE key_results AS k SET carried_from_id = pg_temp.u(7, n * 2 + p - 100000) FROM generate_series(60002, 69992, 10) AS n, generate_series(0, 1) AS p WHERE k.id = pg_temp.u(7, n * 2 + p);
INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
SELECT pg_temp.u(1, 0), pg_temp.u(6, n), pg_temp.u(6, CASE WHEN n % 100 = 5 THEN 64242 ELSE n / 2 + 30000 END), pg_temp.u(2, 0) FROM generate_series(0, 39999) AS n
UNION ALL SELECT pg_temp.u(1, 0), pg_temp.u(6, 64242), pg_temp.u(6, n), pg_temp.u(2, 0) FROM generate_series(70000, 70009) AS n;
INSERT INTO objective_links (organization_id, objective_id, supported_id, flagged, created_by) SELECT pg_temp.u(1, 0), pg_temp.u(6, n), pg_temp.u(6, n / 1000 + 29940), true, pg_temp.u(2, 0) FROM generate_series(60002, 69992, 10) AS n;

-- Figures of each objective, and their sums for each team and day.
INSERT INTO objective_figures (organization_id, objective_id, cycle_id, parent_id, group_id, counted, restricted, progress, on_track_until, at_risk_until, outdated_from)
SELECT o.organization_id, o.id, o.cycle_id, o.parent_objective_id, coalesce(o.team_id, '00000000-0000-0000-0000-000000000000'), o.state IN ('approved', 'closed') AND o.archived_at IS NULL, o.visibility <> 'organization', 0.5,
       pg_temp.number(o.id) % 40, pg_temp.number(o.id) % 40 + 30, CASE WHEN o.state = 'approved' THEN pg_temp.number(o.id) % 60 END FROM objectives AS o;
UPDATE objective_figures AS f SET children = s.children, children_restricted = s.restricted
FROM (SELECT c.organization_id, c.parent_id, count(*) AS children, count(*) FILTER (WHERE c.restricted) AS restricted FROM objective_figures AS c WHERE c.counted AND c.parent_id IS NOT NULL GROUP BY 1, 2) AS s
WHERE f.organization_id = s.organization_id AND f.objective_id = s.parent_id;
INSERT INTO cycle_figures (organization_id, cycle_id, starts_on, ends_on, time_zone, cadence, rules) SELECT c.organization_id, c.id, c.starts_on, c.ends_on, 'UTC', 'weekly', 1 FROM cycles AS c WHERE c.id < pg_temp.u(5, 1300);
INSERT INTO figure_counts (organization_id, cycle_id, group_id, day, id, objectives, progress)
SELECT pg_temp.u(1, 0), pg_temp.u(5, 7), g, day, '00000000-0000-0000-0000-000000000000', 40, 20
FROM (SELECT pg_temp.u(3, n) AS g FROM generate_series(0, 999) AS n UNION ALL SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS x, generate_series(-1, 30) AS day;
INSERT INTO figure_counts (organization_id, cycle_id, group_id, day, id, objectives)
SELECT pg_temp.u(1, 0), pg_temp.u(5, 7), pg_temp.u(3, n % 1000), -1, pg_temp.u(32, n), 1 FROM generate_series(0, 999) AS n;
INSERT INTO cycle_figures_daily (organization_id, cycle_id, group_id, day, objectives, restricted, pending, on_track, at_risk, off_track, key_result_off_track, outdated, progress, overshoot, recorded_at)
SELECT pg_temp.u(1, 0), pg_temp.u(5, 7), g, (now() - day * interval '1 day')::date, 40, 1, 1, 30, 5, 5, 0, 0, 20, 0, now() - day * interval '1 day'
FROM (SELECT pg_temp.u(3, n) AS g FROM generate_series(0, 999) AS n UNION ALL SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS x, generate_series(1, 30) AS day;

-- Imports of a hundred rows, of which one in ten is running, the names that things have elsewhere, and invitations.
INSERT INTO imports (organization_id, id, format, headers, state, work_id, row_count, cycle_id, created_by, changed_by, changed_at)
SELECT pg_temp.o(n, 500), pg_temp.u(29, n), 'csv', '{Title}', state, CASE WHEN state = 'running' THEN pg_temp.u(30, n) END, 100, CASE WHEN n < 500 THEN pg_temp.u(5, 7) END, pg_temp.u(2, pg_temp.at(n, 500, 10000, 20, 1)),
       pg_temp.u(2, pg_temp.at(n, 500, 10000, 20, 1)), now() - n % 50 * interval '1 day'
FROM (SELECT n, CASE n % 10 WHEN 5 THEN 'running' WHEN 6 THEN 'uploading' WHEN 7 THEN 'checked' ELSE 'done' END AS state FROM generate_series(0, 599) AS n) AS s;
INSERT INTO import_rows (organization_id, import_id, position, line, cells, objective_key, key_result_key, check_in_key, result)
SELECT pg_temp.o(n / 100, 500), pg_temp.u(29, n / 100), n % 100 + 1, n % 100 + 2, '[]', 'o' || n % 100, 'k' || n % 100, 'c' || n % 100, (ARRAY['create', 'update', 'same', 'refused'])[n % 4 + 1] FROM generate_series(0, 39999) AS n;
INSERT INTO import_entities (organization_id, work_id, kind, key, import_id, parent_key, position, entity_id, event_id, known, intent, change, plan)
SELECT pg_temp.o(n / 300, 500), pg_temp.u(30, n / 300), (ARRAY['objective', 'key_result', 'check_in'])[n / 100 % 3 + 1], (ARRAY['o', 'k', 'c'])[n / 100 % 3 + 1] || n % 100, pg_temp.u(29, n / 300),
       CASE n / 100 % 3 WHEN 0 THEN '' WHEN 1 THEN 'o' || n % 100 ELSE 'k' || n % 100 END, n % 100 + 1, CASE n / 100 % 3 WHEN 0 THEN pg_temp.u(6, 64200 + n % 100) WHEN 1 THEN pg_temp.u(7, 128400 + n % 100 * 2) ELSE pg_temp.u(9, n % 100) END,
       pg_temp.u(33, n), true, '{}', 'same', '{}'
FROM generate_series(0, 119999) AS n WHERE n / 300 % 4 = 1;
INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id)
SELECT pg_temp.u(1, 0), 'kakeai', 'objective', 'o' || n, pg_temp.u(6, n) FROM generate_series(0, 49999) AS n;
INSERT INTO invitations (organization_id, id, email, role, team_ids, days, token_hash, mail_id, expires_at, invited_by, accepted_at, accepted_by, sent_at)
SELECT pg_temp.o(n, 4500), pg_temp.u(31, n), CASE n WHEN 10 THEN 'p10001@example.com' ELSE 'invited' || n || '@example.com' END, 'member', ARRAY[pg_temp.u(3, 242)], 7, sha256(n::text::bytea), pg_temp.u(17, n), now() + (n % 20 - 3) * interval '1 day', pg_temp.u(2, pg_temp.at(n, 4500, 10000, 20, 1)),
       CASE WHEN n % 10 > 0 THEN now() END, CASE WHEN n % 10 > 0 THEN pg_temp.u(2, pg_temp.at(n, 4500, 10000, 20, 1)) END, now() - interval '1 hour' FROM generate_series(0, 4999) AS n;
INSERT INTO mails (organization_id, id, invitation_id, template) SELECT pg_temp.u(1, 0), pg_temp.u(17, 200000 + n), pg_temp.u(31, n * 10), 'invitation' FROM generate_series(0, 400) AS n;
INSERT INTO key_fingerprints (name, fingerprint) VALUES ('cursor', sha256('x'));

-- What models have taken, in twenty years of the largest organisation and this month of the others.
INSERT INTO ai_usage (organization_id, month, calls, input_tokens, output_tokens, source)
SELECT pg_temp.u(1, 0), date_trunc('month', now()) - n * interval '1 month', 100, 100000, 20000, 'model-1' FROM generate_series(0, 239) AS n
UNION ALL SELECT pg_temp.u(1, n), date_trunc('month', now()), 10, 1000, 200, 'model-1' FROM generate_series(1, 450) AS n;
