-- Records calls of POST /api, given as an array of objects, in one round trip that commits by itself. `rate`
-- is how many a user may post in a rolling minute (0: any number), `rule` the rule of src/domain/target.ts
-- that read the links. Returns the current instant in ms and a result for each call, which
-- src/data/recording.ts describes.
create or replace function record_announcements(calls json, rate integer, rule smallint) returns json
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	-- Up to this number, calls are recorded faster one by one.
	few_calls constant integer := 3;
	now timestamptz;
	call record;
	caller record;
	known record;
	quota record;
	counted_users bigint[] := '{}';
	posted_of_users integer[] := '{}';
	oldest_of_users timestamptz[] := '{}';
	nth_user integer;
	new_id bigint;
	new_ids bigint[] := '{}';
	posters bigint[] := '{}';
	results json[] := '{}';
	is_all boolean := false;
begin
	-- The lock of the feed (src/database/locks-and-pacing.ts), held until the commit: ids are then drawn in the order of
	-- the commits. Every statement below takes its snapshot once the lock is held, and so sees all earlier calls.
	perform pg_advisory_xact_lock(${feedLock});
	now := clock_timestamp();

	-- All calls whose answers do not depend on each other, in one statement, which decides as the loop below does.
	if json_array_length(calls) > few_calls then
		with called as (
			select c.n, c.token_hash, c.message, c.url, c.category, c.scopes, c.target, c.key, c.hops,
				-- The identity of a publisher fills in what was left out.
				coalesce(c.environment, u.environment) as environment, coalesce(c.version, u.version) as version,
				coalesce(c.commit, u.commit) as commit,
				case when is_below(c.url, u.verifies) then u.verified end as verified,
				c.intake, u.is_vouched, u.token, u.token_expires, u.user_id, u.username, u.name, u.is_news, u.may_announce
			from rows from (json_to_recordset(calls) as (
				token_hash text, message text, url text, category text, scopes text[], target text, key text,
				environment text, version text, commit text, hops smallint, intake text
			)) with ordinality as c(
				token_hash, message, url, category, scopes, target, key, environment, version, commit, hops, intake, n
			)
			left join lateral (
				select u.id as user_id, u.username, u.name, t.environment, t.version, t.commit, t.verifies, t.verified,
					t.publisher_id is not null as is_vouched, case when t.publisher_id is null then t.name end as token,
					case when t.publisher_id is null then t.expires_at end as token_expires,
					t.last_used_at is null or t.last_used_at < now - interval '1 minute'
						or t.expires_at is not null and t.ends_on is null as is_news,
					may_announce(t.may, t.targets, t.environments, c.scopes, c.environment) as may_announce
				from tokens t join users u on u.id = t.user_id
				where t.hash = c.token_hash and (t.expires_at is null or t.expires_at > now)
				for key share of u
			) u on true
		),
		ranked as (
			select *, row_number() over (partition by user_id order by n) as nth,
				count(*) over (partition by user_id) as calls_of_user,
				bool_and(key is null) over (partition by user_id) as is_keyless
			from called
		),
		quotas as materialized (
			select u.user_id, q.posted, q.oldest
			from (select distinct user_id from called where user_id is not null) u
			cross join lateral posts_of_last_minute(u.user_id, rate, now) q
			where rate > 0
		),
		judged as (
			select r.*, q.posted, q.oldest,
				user_id is not null and may_announce and is_keyless and (rate <= 0 or q.posted + calls_of_user <= rate) as is_free
			from ranked r left join quotas q using (user_id)
			order by n
		),
		numbered as materialized (
			select *, case when is_free then nextval('${feedSequence}') end as id from judged
		),
		used as (
			update tokens t set last_used_at = now, last_used_from = f.source
			from (
				select distinct on (token_hash) token_hash, left(split_part(url, '/', 3), ${sourceKept}) as source
				from numbered where is_free and is_news order by token_hash, n desc
			) f
			-- Nobody waits for whoever else is writing a token: he may wait for another one of these.
			cross join lateral (select hash from tokens where hash = f.token_hash for no key update skip locked) unwritten
			where t.hash = unwritten.hash
		),
		recorded as (
			insert into deployments
				(
					id, user_id, message, url, category, environment, version, commit, scopes, target, target_rule,
					hops, verified, token, deployed_at
				)
			select
				id, user_id, message, url, category, environment, version, commit, scopes, target, rule,
				hops, verified, token, now
			from numbered where is_free
		)
		select
			coalesce(array_agg(id) filter (where is_free), '{}'),
			coalesce(array_agg(user_id) filter (where is_free), '{}'),
			array_agg(case
				-- Calls of intakes have keys, so the loop below takes them.
				when user_id is null and intake is null then json_build_array('unauthorized')
				when is_free then json_build_array(
					'created', case when rate > 0 then posted + nth else 1 end,
					extract(epoch from oldest) * 1000,
					id, extract(epoch from now) * 1000, user_id, username, name,
					case when is_vouched then json_build_array(environment, version, commit, verified) end,
					extract(epoch from token_expires) * 1000
				)
			end order by n),
			bool_and(is_free or (user_id is null and intake is null))
		into new_ids, posters, results, is_all
		from numbered;
	end if;

	if not is_all then
		for call in
			select * from rows from (json_to_recordset(calls) as (
				token_hash text, message text, url text, category text, scopes text[], target text, key text,
				-- Version 1.0.0 does not send these, and version 1.1.0 not the last one.
				environment text, version text, commit text, hops smallint, intake text, waiting bigint
			)) with ordinality as c(
				token_hash, message, url, category, scopes, target, key, environment, version, commit, hops, intake, waiting, n
			)
			where results[n] is null
		loop
			-- Another process may have announced a call that waited, and its deployment may be withdrawn by now. Nobody waits
			-- for whoever is deleting it.
			if call.waiting is not null then
				perform from intake_calls where id = call.waiting and waiting is not null for update skip locked;
				if not found then
					results[call.n] := json_build_array('unauthorized');
					continue;
				end if;
			end if;
			-- The lock on the user leaves out accounts being deleted. The foreign keys take the same lock anyway.
			if call.intake is null then
				select u.id, u.username, u.name, t.publisher_id is not null as is_vouched,
					coalesce(call.environment, t.environment) as environment, coalesce(call.version, t.version) as version,
					coalesce(call.commit, t.commit) as commit,
					case when is_below(call.url, t.verifies) then t.verified end as verified,
					case when t.publisher_id is null then t.name end as token,
					case when t.publisher_id is null then t.expires_at end as token_expires,
					t.last_used_at is null or t.last_used_at < now - interval '1 minute'
						or t.expires_at is not null and t.ends_on is null as is_news,
					t.may, t.targets, t.environments,
					may_announce(t.may, t.targets, t.environments, call.scopes, call.environment) as may_announce
				into caller
				from tokens t join users u on u.id = t.user_id
				where t.hash = call.token_hash and (t.expires_at is null or t.expires_at > now)
				for key share of u;
			else
				select u.id, u.username, u.name, false as is_vouched, call.environment, call.version, call.commit,
					null::text[] as verified, null as token, null::timestamptz as token_expires, false as is_news,
					true as may_announce
				into caller
				from intakes i join users u on u.id = i.user_id
				where i.id = call.intake and left(u.username, 1) <> '~'
				for key share of u;
			end if;
			if not found then
				results[call.n] := json_build_array('unauthorized');
				continue;
			end if;

			-- Precision to the minute is enough and saves writes; the use of a rolled token is stored exactly.
			if caller.is_news then
				update tokens set
					last_used_at = now, last_used_from = left(coalesce(call.key, split_part(call.url, '/', 3)), ${sourceKept})
				where hash = (select hash from tokens where hash = call.token_hash for no key update skip locked);
			end if;

			select 0 as posted, null::timestamptz as oldest into quota;
			if rate > 0 then
				-- Counted once for each user, and then as calls are recorded.
				nth_user := array_position(counted_users, caller.id);
				if nth_user is null then
					select * into quota from posts_of_last_minute(caller.id, rate, now);
					counted_users := counted_users || caller.id;
					posted_of_users := posted_of_users || quota.posted;
					oldest_of_users := oldest_of_users || quota.oldest;
					nth_user := cardinality(counted_users);
				end if;
				select posted_of_users[nth_user] as posted, oldest_of_users[nth_user] as oldest into quota;
				if quota.posted >= rate then
					results[call.n] := json_build_array('rate_limited', quota.posted, extract(epoch from quota.oldest) * 1000);
					continue;
				end if;
			end if;

			-- A process of a release that does not know the second element answers 401.
			if not caller.may_announce then
				results[call.n] := json_build_array('unauthorized', json_build_object(
					'name', caller.token, 'may', caller.may, 'targets', caller.targets, 'environments', caller.environments
				));
				continue;
			end if;

			if call.key is not null then
				select id, message, url, category, environment, version, commit, verified, posted_as, deployed_at into known
				from deployments where user_id = caller.id and idempotency_key = call.key;
				if found then
					results[call.n] := json_build_array(
						case when (known.message, known.url, known.category, known.environment, known.version, known.commit)
							is not distinct from
							(call.message, call.url, call.category, caller.environment, caller.version, caller.commit)
						then 'replayed' else 'idempotency_key_reused' end,
						quota.posted, extract(epoch from quota.oldest) * 1000,
						known.id, extract(epoch from known.deployed_at) * 1000, caller.id, caller.username,
						coalesce(known.posted_as, caller.name),
						case when caller.is_vouched or known.verified is not null
							then json_build_array(known.environment, known.version, known.commit, known.verified)
						end,
						extract(epoch from caller.token_expires) * 1000
					);
					continue;
				end if;
			end if;

			insert into deployments
				(
					user_id, message, url, category, environment, version, commit, scopes, target, target_rule,
					hops, verified, idempotency_key, posted_as, token, deployed_at
				)
			values (
				caller.id, call.message, call.url, call.category, caller.environment, caller.version, caller.commit,
				call.scopes, call.target, rule, call.hops, caller.verified, call.key,
				case when call.key is not null then caller.name end, caller.token, now
			)
			returning id into new_id;
			if call.waiting is not null then
				update intake_calls set outcome = 'announced', deployment_id = new_id, waiting = null where id = call.waiting;
			end if;
			new_ids := new_ids || new_id;
			posters := posters || caller.id;
			if rate > 0 then
				posted_of_users[nth_user] := quota.posted + 1;
				oldest_of_users[nth_user] := coalesce(quota.oldest, now);
			end if;
			results[call.n] := json_build_array(
				'created', quota.posted + 1, extract(epoch from quota.oldest) * 1000,
				new_id, extract(epoch from now) * 1000, caller.id, caller.username, caller.name,
				case when caller.is_vouched
					then json_build_array(caller.environment, caller.version, caller.commit, caller.verified)
				end,
				extract(epoch from caller.token_expires) * 1000
			);
		end loop;
	end if;

	if new_ids <> '{}' then
		perform count_scopes(new_ids, rule);
		perform count_days(posters, array_fill(now, array[cardinality(posters)]), 1);
		-- The bell (src/database/bell.ts) rings at the commit.
		perform pg_notify('${bellChannel}', '');
	end if;
	return json_build_array(extract(epoch from now) * 1000, array_to_json(results));
end
$$;
