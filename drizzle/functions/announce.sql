-- Records calls of POST /api, given as an array of objects, in one round trip that commits by itself. `rate` is how many
-- a user may post in a rolling minute (0: any number), `rule` the rule of src/domain/target.ts that read the links.
-- Returns an object with the current instant in ms and a result for each call, which src/data/recording.ts describes.
create or replace function announce(calls json, rate integer, rule smallint) returns json
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	now timestamptz;
	call record;
	caller record;
	known record;
	is_by_other boolean;
	posted integer;
	oldest timestamptz;
	counted_users bigint[] := '{}';
	posted_of_users integer[] := '{}';
	oldest_of_users timestamptz[] := '{}';
	nth_user integer;
	new_id bigint;
	new_ids bigint[] := '{}';
	posters bigint[] := '{}';
	results json[] := '{}';
begin
	-- The lock of the feed (src/database/locks.ts), held until the commit: ids are then drawn in the order of
	-- the commits. Every statement below takes its snapshot once the lock is held, and so sees all earlier calls.
	perform pg_advisory_xact_lock(${feedLock});
	now := clock_timestamp();

	for call in
		select * from rows from (json_to_recordset(calls) as (
			token_hash text, ${fieldsWithTypes}, scopes text[], target text, key text, hops smallint, intake text, waiting bigint
		)) with ordinality as c(
			token_hash, ${fields}, scopes, target, key, hops, intake, waiting, n
		)
	loop
		-- Another process may have announced a call that waited, and its deployment may be withdrawn by now. Nobody waits
		-- for whoever is deleting it.
		if call.waiting is not null then
			perform from intake_calls where id = call.waiting and waiting is not null for update skip locked;
			if not found then
				results[call.n] := json_build_object('outcome', 'unauthorized');
				continue;
			end if;
		end if;
		-- The lock on the user leaves out accounts being deleted. The foreign keys take the same lock anyway.
		if call.intake is null then
			select u.id, u.username, u.name, t.publisher_id is not null as is_vouched,
				-- What the user joined counts for the other project. The bounds of a token are those of the call as sent.
				coalesce(j.target, call.target) as target, coalesce(j.scopes, call.scopes) as scopes,
				t.environment, t.version, t.commit, t.actor,
				case when is_below(call.url, t.verifies) then t.verified end as verified,
				case when t.publisher_id is null then t.name end as token,
				case when t.publisher_id is null then t.expires_at end as token_expires,
				t.last_used_at is null or t.last_used_at < now - interval '1 minute'
					or t.expires_at is not null and t.ends_on is null as is_news,
				t.may, t.targets, t.environments,
				may_announce(t.may, t.targets, t.environments, call.scopes, call.environment) as may_announce
			into caller
			from tokens t join users u on u.id = t.user_id
			left join joined_projects j on j.user_id = u.id and j.spelling = call.target
			where t.hash = call.token_hash and (t.expires_at is null or t.expires_at > now)
			for key share of u;
		else
			select u.id, u.username, u.name, false as is_vouched,
				coalesce(j.target, call.target) as target, coalesce(j.scopes, call.scopes) as scopes,
				null::text[] as verified, null as token, null::timestamptz as token_expires, false as is_news,
				true as may_announce
			into caller
			from intakes i join users u on u.id = i.user_id
			left join joined_projects j on j.user_id = u.id and j.spelling = call.target
			where i.id = call.intake and left(u.username, 1) <> '~'
			for key share of u;
		end if;
		if not found then
			results[call.n] := json_build_object('outcome', 'unauthorized');
			continue;
		end if;

		-- Precision to the minute is enough and saves writes; the use of a rolled token is stored exactly. Nobody waits for
		-- whoever else is writing the token.
		if caller.is_news then
			update tokens set
				last_used_at = now, last_used_from = left(coalesce(call.key, split_part(call.url, '/', 3)), ${sourceKept})
			where hash = (select hash from tokens where hash = call.token_hash for no key update skip locked);
		end if;

		posted := 0;
		oldest := null;
		if rate > 0 then
			-- Counted once for each user, and then as calls are recorded.
			nth_user := array_position(counted_users, caller.id);
			if nth_user is null then
				select * into posted, oldest from posts_of_last_minute(caller.id, rate, now);
				counted_users := counted_users || caller.id;
				posted_of_users := posted_of_users || posted;
				oldest_of_users := oldest_of_users || oldest;
				nth_user := cardinality(counted_users);
			else
				posted := posted_of_users[nth_user];
				oldest := oldest_of_users[nth_user];
			end if;
			if posted >= rate then
				results[call.n] := json_build_object(
					'outcome', 'rate_limited', 'posted', posted, 'oldestMs', extract(epoch from oldest) * 1000
				);
				continue;
			end if;
		end if;

		if not caller.may_announce then
			results[call.n] := json_build_object('outcome', 'forbidden', 'token', json_build_object(
				'name', caller.token, 'may', caller.may, 'targets', caller.targets, 'environments', caller.environments
			));
			continue;
		end if;

		-- The identity of a publisher fills in what was left out.
		if caller.is_vouched then
			call.environment := coalesce(call.environment, caller.environment);
			call.version := coalesce(call.version, caller.version);
			call.commit := coalesce(call.commit, caller.commit);
			call.actor := coalesce(call.actor, caller.actor);
		end if;

		-- An Idempotency-Key is known as long as its deployment exists.
		if call.key is not null then
			select id, ${fields}, target, verified, posted_as, deployed_at into known
			from deployments where user_id = caller.id and idempotency_key = call.key;
			if found then
				-- A retry that somebody else started is a retry, and is answered with who was first.
				is_by_other := call.actor is distinct from known.actor;
				call.actor := known.actor;
				results[call.n] := json_build_object(
					'outcome', case when (${fieldsOfKnown}) is not distinct from (${fieldsOfCall})
						then 'replayed' else 'idempotency_key_reused' end,
					'posted', posted, 'oldestMs', extract(epoch from oldest) * 1000,
					'id', known.id, 'deployedAtMs', extract(epoch from known.deployed_at) * 1000,
					'userId', caller.id, 'username', caller.username, 'name', coalesce(known.posted_as, caller.name),
					'filled', case when caller.is_vouched or known.verified is not null or is_by_other then json_build_object(
						'environment', known.environment, 'version', known.version, 'commit', known.commit,
						'actor', known.actor, 'verified', known.verified
					) end,
					'earlier', earlier_releases(caller.id, known.target, known.environment, known.id),
					'tokenExpiresMs', extract(epoch from caller.token_expires) * 1000
				);
				continue;
			end if;
		end if;

		insert into deployments
			(
				user_id, ${fields}, scopes, target, target_rule,
				hops, verified, idempotency_key, posted_as, token, deployed_at
			)
		values (
			caller.id, ${fieldsOfCall}, caller.scopes, caller.target, rule, call.hops, caller.verified, call.key,
			case when call.key is not null then caller.name end, caller.token, now
		)
		returning id into new_id;
		if call.waiting is not null then
			update intake_calls set outcome = 'announced', deployment_id = new_id, waiting = null where id = call.waiting;
		end if;
		new_ids := new_ids || new_id;
		posters := posters || caller.id;
		if rate > 0 then
			posted_of_users[nth_user] := posted + 1;
			oldest_of_users[nth_user] := coalesce(oldest, now);
		end if;
		results[call.n] := json_build_object(
			'outcome', 'created', 'posted', posted + 1, 'oldestMs', extract(epoch from oldest) * 1000,
			'id', new_id, 'deployedAtMs', extract(epoch from now) * 1000,
			'userId', caller.id, 'username', caller.username, 'name', caller.name,
			'filled', case when caller.is_vouched then json_build_object(
				'environment', call.environment, 'version', call.version, 'commit', call.commit,
				'actor', call.actor, 'verified', caller.verified
			) end,
			'earlier', earlier_releases(caller.id, caller.target, call.environment, new_id),
			'tokenExpiresMs', extract(epoch from caller.token_expires) * 1000
		);
	end loop;

	if new_ids <> '{}' then
		perform count_scopes(new_ids, rule);
		perform count_days(posters, array_fill(now, array[cardinality(posters)]), 1);
		-- The bell (src/database/bell.ts) rings at the commit.
		perform pg_notify('${bellChannel}', '');
	end if;
	return json_build_object('nowMs', extract(epoch from now) * 1000, 'results', array_to_json(results));
end
$$;
