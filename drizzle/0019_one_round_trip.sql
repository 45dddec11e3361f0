-- What decides under a lock, as functions: a transaction of several statements is five round trips and more, and
-- with a database 200 ms away it would not fit into the time that a request has.

-- Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell. What
-- takes its place is looked up before the lock of all announcements is taken: meanwhile the user may announce, which
-- is newer than anything found, but not withdraw anything else. Every statement sees what was committed before it.
CREATE FUNCTION "withdraw_deployment"("poster" bigint, "gone_id" bigint)
RETURNS boolean
LANGUAGE plpgsql
-- A connection plans each statement once, maybe while the tables are still empty: by index, whatever their size.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
	-- Of the other targets of a scope, so many are probed; of more, one is soon found by a walk from the latest on.
	few_targets CONSTANT integer := 200;
	gone record;
	gone_scope text;
	others text[];
	older_of_target timestamp with time zone;
	older timestamp with time zone;
	hidden_scopes text[] := '{}';
	older_of_scopes timestamp with time zone[] := '{}';
BEGIN
	-- Other withdrawals of the user wait for this one. Not FOR UPDATE: recording would wait for it while it
	-- holds the lock of all others.
	PERFORM FROM users WHERE id = poster FOR NO KEY UPDATE;
	SELECT id, target, scopes, deployed_at INTO gone FROM deployments WHERE id = gone_id AND user_id = poster;
	IF NOT FOUND THEN
		RETURN false;
	END IF;

	-- Which deployments it hides: those before it, that will count in its place.
	SELECT deployed_at INTO older_of_target FROM deployments
	WHERE user_id = poster AND target = gone.target AND id <> gone_id ORDER BY id DESC LIMIT 1;
	SELECT deployed_at INTO older FROM deployments
	WHERE user_id = poster AND id <> gone_id ORDER BY id DESC LIMIT 1;
	hidden_scopes := hidden_scopes || ''::text;
	older_of_scopes := older_of_scopes || older;
	FOR gone_scope IN
		SELECT l.scope FROM latest_deployments l
		WHERE l.user_id = poster AND l.scope = ANY (gone.scopes) AND l.scope <> '' AND l.deployed_at <= gone.deployed_at
	LOOP
		others := ARRAY(
			SELECT s.target FROM target_scopes s
			WHERE s.user_id = poster AND s.scope = gone_scope AND s.target IS DISTINCT FROM gone.target
			LIMIT few_targets + 1
		);
		IF cardinality(others) <= few_targets THEN
			-- Lateral and limited: a probe for each, however many Postgres expects.
			SELECT max(t.deployed_at) INTO older
			FROM unnest(others) AS other
			CROSS JOIN LATERAL (
				SELECT deployed_at FROM targets WHERE user_id = poster AND target = other LIMIT 1
			) t;
		ELSE
			SELECT t.deployed_at INTO older
			FROM targets t
			CROSS JOIN LATERAL (
				SELECT FROM target_scopes s
				WHERE s.user_id = poster AND s.scope = gone_scope AND s.target = t.target
					AND s.target IS DISTINCT FROM gone.target
				LIMIT 1
			) s
			WHERE t.user_id = poster ORDER BY t.deployed_at DESC LIMIT 1;
		END IF;
		hidden_scopes := hidden_scopes || gone_scope;
		older_of_scopes := older_of_scopes || greatest(older_of_target, older);
	END LOOP;

	-- The lock of the feed (src/database/locks.ts), held until the commit. What follows only probes, and leaves
	-- what was counted since, which is newer.
	PERFORM pg_advisory_xact_lock(7305002);
	DELETE FROM deployments WHERE id = gone_id;
	-- Pruned meanwhile, and taken out of everything.
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	UPDATE latest_deployments l SET deployed_at = o.deployed_at
	FROM unnest(hidden_scopes, older_of_scopes) AS o(scope, deployed_at)
	WHERE l.user_id = poster AND l.scope = o.scope AND l.deployed_at <= gone.deployed_at
		AND o.deployed_at IS NOT NULL;
	DELETE FROM latest_deployments l
	USING unnest(hidden_scopes, older_of_scopes) AS o(scope, deployed_at)
	WHERE l.user_id = poster AND l.scope = o.scope AND l.deployed_at <= gone.deployed_at AND o.deployed_at IS NULL;

	IF older_of_target IS NOT NULL THEN
		UPDATE targets SET deployed_at = older_of_target
		WHERE user_id = poster AND target = gone.target AND deployed_at <= gone.deployed_at;
	ELSE
		DELETE FROM targets WHERE user_id = poster AND target = gone.target AND deployed_at <= gone.deployed_at;
		IF FOUND THEN
			DELETE FROM target_scopes WHERE user_id = poster AND scope = ANY (gone.scopes) AND target = gone.target;
		END IF;
	END IF;

	DELETE FROM daily_deployments
	WHERE user_id = poster AND day = (gone.deployed_at AT TIME ZONE 'UTC')::date AND deployments <= 1;
	UPDATE daily_deployments SET deployments = deployments - 1
	WHERE user_id = poster AND day = (gone.deployed_at AT TIME ZONE 'UTC')::date;

	INSERT INTO withdrawals (id, deployment_id, user_id, deployed_at)
	VALUES (nextval('deployments_id_seq'), gone_id, poster, gone.deployed_at);
	-- The bell (src/database/bell.ts) rings at the commit.
	PERFORM pg_notify('deployments', '');
	RETURN true;
END
$$;
--> statement-breakpoint
-- Gives a user a new token; false if the user was deleted meanwhile. Parallel rolls run one after another, each
-- of which sees the token of the one before.
CREATE FUNCTION "roll_token"("owner" bigint, "new_hash" text, "new_last_four" text, "keeps_old" boolean)
RETURNS boolean
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
BEGIN
	-- Not FOR UPDATE: as above. The sign is that of an account which is being deleted.
	PERFORM FROM users WHERE id = owner AND left(username, 1) <> '~' FOR NO KEY UPDATE;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	-- Those of publishers come and go by themselves.
	DELETE FROM tokens WHERE user_id = owner AND publisher_id IS NULL AND (expires_at IS NOT NULL OR NOT keeps_old);
	UPDATE tokens SET expires_at = now() + interval '24 hours' WHERE user_id = owner AND publisher_id IS NULL;
	INSERT INTO tokens (hash, user_id, last_four) VALUES (new_hash, owner, new_last_four);
	RETURN true;
END
$$;
