ALTER TABLE "deployments" ADD COLUMN "environment" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "commit" text;--> statement-breakpoint
CREATE INDEX "deployments_environment" ON "deployments" USING btree (lower(environment collate "C"),"id") WHERE "deployments"."environment" is not null;--> statement-breakpoint
CREATE INDEX "deployments_user_environment" ON "deployments" USING btree ("user_id",lower(environment collate "C"),"id") WHERE "deployments"."environment" is not null;--> statement-breakpoint
CREATE INDEX "deployments_target_environment" ON "deployments" USING btree ("user_id","target",lower(environment collate "C"),"id") WHERE "deployments"."target" is not null and "deployments"."environment" is not null;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "record_announcements"("calls" json, "rate" integer, "rule" smallint)
RETURNS json
LANGUAGE plpgsql
-- A connection plans each statement once, maybe while the tables are still empty: by index, whatever their size.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
	now timestamp with time zone;
	call record;
	caller record;
	known record;
	quota record;
	rows_hit integer;
	new_id bigint;
	has_new boolean := false;
	results json[] := '{}';
BEGIN
	-- The lock of the feed (src/database/locks.ts), held until the commit: ids are then drawn in the order of the
	-- commits. Every statement below takes its snapshot after it, and sees the calls before its own.
	PERFORM pg_advisory_xact_lock(7305002);
	now := clock_timestamp();

	FOR call IN
		SELECT * FROM json_to_recordset(calls) AS c(
			token_hash text, message text, url text, category text, scopes text[], target text, key text,
			-- An older process beside a newer one does not send these.
			environment text, version text, commit text
		)
	LOOP
		-- The lock on the user leaves out one who is being deleted; the foreign keys take it anyway.
		SELECT u.id, u.username, u.name,
			t.last_used_at IS NULL OR t.expires_at IS NOT NULL OR t.last_used_at < now - interval '1 minute' AS is_news
		INTO caller
		FROM tokens t JOIN users u ON u.id = t.user_id
		WHERE t.hash = call.token_hash AND (t.expires_at IS NULL OR t.expires_at > now)
		FOR KEY SHARE OF u;
		IF NOT FOUND THEN
			results := results || json_build_array('unauthorized');
			CONTINUE;
		END IF;

		-- To the minute is enough and spares writes; the use of an old token is told exactly.
		IF caller.is_news THEN
			UPDATE tokens SET last_used_at = now WHERE hash = call.token_hash;
		END IF;

		SELECT 0 AS posted, NULL::timestamp with time zone AS oldest INTO quota;
		IF rate > 0 THEN
			SELECT * INTO quota FROM posts_of_last_minute(caller.id, rate, now);
			IF quota.posted >= rate THEN
				results := results || json_build_array('rate_limited', quota.posted, extract(epoch FROM quota.oldest) * 1000);
				CONTINUE;
			END IF;
		END IF;

		IF call.key IS NOT NULL THEN
			SELECT id, message, url, category, environment, version, commit, posted_as, deployed_at INTO known
			FROM deployments WHERE user_id = caller.id AND idempotency_key = call.key;
			IF FOUND THEN
				results := results || json_build_array(
					CASE WHEN (known.message, known.url, known.category, known.environment, known.version, known.commit)
						IS NOT DISTINCT FROM
						(call.message, call.url, call.category, call.environment, call.version, call.commit)
					THEN 'replayed' ELSE 'idempotency_key_reused' END,
					quota.posted, extract(epoch FROM quota.oldest) * 1000,
					known.id, extract(epoch FROM known.deployed_at) * 1000, caller.id, caller.username,
					coalesce(known.posted_as, caller.name)
				);
				CONTINUE;
			END IF;
		END IF;

		INSERT INTO deployments
			(
				user_id, message, url, category, environment, version, commit, scopes, target, target_rule,
				idempotency_key, posted_as, deployed_at
			)
		VALUES (
			caller.id, call.message, call.url, call.category, call.environment, call.version, call.commit,
			call.scopes, call.target, rule, call.key, CASE WHEN call.key IS NOT NULL THEN caller.name END, now
		)
		RETURNING id INTO new_id;

		-- What it counts for, as src/data/counting.ts has it. Nearly always the rows are there.
		UPDATE latest_deployments SET deployed_at = greatest(deployed_at, now), target_rule = rule
		WHERE user_id = caller.id AND scope = ANY (call.scopes);
		GET DIAGNOSTICS rows_hit = ROW_COUNT;
		IF rows_hit < cardinality(call.scopes) THEN
			INSERT INTO latest_deployments (user_id, scope, deployed_at, target_rule)
			SELECT caller.id, scope, now, rule FROM unnest(call.scopes) AS scope
			ON CONFLICT DO NOTHING;
		END IF;

		IF call.target IS NOT NULL THEN
			UPDATE targets SET deployed_at = greatest(deployed_at, now)
			WHERE user_id = caller.id AND target = call.target AND target_rule = rule;
			IF NOT FOUND THEN
				INSERT INTO targets (user_id, target, deployed_at, target_rule)
				VALUES (caller.id, call.target, now, rule)
				ON CONFLICT (user_id, target) DO UPDATE SET
					deployed_at = greatest(targets.deployed_at, excluded.deployed_at), target_rule = rule;
				INSERT INTO target_scopes (user_id, scope, target)
				SELECT caller.id, scope, call.target FROM unnest(call.scopes) AS scope WHERE scope <> ''
				ON CONFLICT DO NOTHING;
			END IF;
		END IF;

		UPDATE daily_deployments SET deployments = deployments + 1
		WHERE user_id = caller.id AND day = (now AT TIME ZONE 'UTC')::date;
		IF NOT FOUND THEN
			INSERT INTO daily_deployments (user_id, day, deployments)
			VALUES (caller.id, (now AT TIME ZONE 'UTC')::date, 1);
		END IF;

		has_new := true;
		results := results || json_build_array(
			'created', quota.posted + 1, extract(epoch FROM quota.oldest) * 1000,
			new_id, extract(epoch FROM now) * 1000, caller.id, caller.username, caller.name
		);
	END LOOP;

	-- The bell (src/database/bell.ts) rings at the commit.
	IF has_new THEN
		PERFORM pg_notify('deployments', '');
	END IF;
	RETURN json_build_array(extract(epoch FROM now) * 1000, array_to_json(results));
END
$$;
