-- Records deployments from before a user announced here, given as an array of objects with a key and an
-- instant. `rule` is the rule of src/domain/target.ts that read the links; a trial only says what would happen.
-- Draws no id of the feed's sequence, rings no bell, and keeps no lock that announcements wait for. Returns
-- what src/data/history.ts describes; null if the user has been deleted.
create or replace function record_history(owner bigint, items json, rule smallint, is_trial boolean) returns json
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	now constant timestamptz := clock_timestamp();
	first_live timestamptz;
	results text[];
	added integer;
	of_user integer;
	of_day integer;
	pass integer := 0;
	placed bigint[];
	new_ids bigint[] := '{}';
begin
	-- An announcement with an instant before `now` holds the feed's lock (src/database/locks-and-pacing.ts) until it is
	-- committed. So once this call has had the lock, all such announcements are visible below. The lock is given back at
	-- once, by undoing the block, or with a transaction that is cancelled meanwhile.
	begin
		perform pg_advisory_xact_lock_shared(${feedLock});
		raise sqlstate 'SHIPD';
	exception when sqlstate 'SHIPD' then
	end;

	-- Other history of the user, and withdrawals, wait for this. Announcements do not.
	perform lock_users(array[owner]);
	if not exists (select from users where id = owner and left(username, 1) <> '~') then
		return null;
	end if;
	-- If an announcement is counting for the same new scope at this moment, this call fails and is tried again.
	perform set_config('lock_timeout', '100ms', true);

	-- Compares rows, and probes by subqueries with a limit: otherwise Postgres may read the ids of all users, or all
	-- deployments of this one.
	select deployed_at into first_live from deployments
	where (user_id, id) > (owner, 0) and (user_id, id) < (owner, ${largestId}) order by user_id, id limit 1;
	with judged as (
		select i.key, i.n, i.deployed_at > now as is_future, i.deployed_at >= coalesce(first_live, 'infinity') as is_late,
			(select true from deployments d where d.user_id = owner and d.idempotency_key = i.key limit 1) as is_known
		from rows from (json_to_recordset(items) as (key text, deployed_at timestamptz)) with ordinality
			as i(key, deployed_at, n)
	)
	select coalesce(array_agg(
		case
			when is_known then 'known'
			when is_future then 'future'
			when is_late then 'late'
			when nth > 1 then 'known'
			else 'added'
		end order by n
	), '{}')
	into results
	from (select *, row_number() over (partition by key, is_future or is_late order by n) as nth from judged) j;

	added := (select count(*) from unnest(results) as result where result = 'added');
	if added > 0 then
		of_user := (select count(*) from deployments where user_id = owner and id < 0);
		of_day := coalesce((select h.added from history_days h where h.user_id = owner and h.day = utc_day(now)), 0);
		if of_user + added > ${historyOfUser} or of_day + added > ${historyADay} then
			return json_build_object('outcome', case when of_user + added > ${historyOfUser} then 'ofUser' else 'aDay' end);
		end if;
	end if;

	if added > 0 and not is_trial then
		-- Each pass tries the next id in the second of each remaining item, because the id before it was taken.
		loop
			with called as (
				select * from rows from (json_to_recordset(items) as (
					key text, deployed_at timestamptz, message text, url text, category text, scopes text[], target text,
					environment text, version text, commit text, token text
				)) with ordinality as c(
					key, deployed_at, message, url, category, scopes, target, environment, version, commit, token, n
				)
				where results[n] = 'added' and (
					select true from deployments d where d.user_id = owner and d.idempotency_key = c.key limit 1
				) is null
			),
			inserted as (
				insert into deployments (
					id, user_id, message, url, category, environment, version, commit, scopes, target, target_rule,
					idempotency_key, token, deployed_at
				)
				select
					floor(extract(epoch from deployed_at))::bigint * ${idsPerSecond} - ${historyOrigin}
						+ (hashtextextended(key, owner) % ${idsPerSecond} + ${idsPerSecond} + pass) % ${idsPerSecond},
					owner, message, url, category, environment, version, commit, scopes, target, rule,
					key, token, date_trunc('second', deployed_at)
				from called
				on conflict do nothing
				returning id
			)
			select coalesce(array_agg(id), '{}') into placed from inserted;
			new_ids := new_ids || placed;
			exit when cardinality(new_ids) >= added;
			pass := pass + 1;
		end loop;

		-- Kept pages notice announcements by the latest deployment (src/data/pages/page-versions.ts), which history does
		-- not change, so it needs a stamp. Written before the rows of scopes, as when links are reread, so that neither
		-- waits for the other.
		insert into user_stamps (user_id, stamp) values (owner, gen_random_uuid())
		on conflict (user_id) do update set stamp = excluded.stamp;

		-- Counts only deployments that are the latest of a scope. The others touch no row, so that no announcement
		-- waits for them.
		perform count_scopes(array(
			select d.id from deployments d where d.id = any (new_ids) and exists (
				select from unnest(d.scopes) as s(scope) where (
					select l.deployed_at from latest_deployments l where l.user_id = owner and l.scope = s.scope limit 1
				) >= d.deployed_at is not true
			)
		), rule);
		perform count_days(
			array_fill(owner, array[added]), array(select deployed_at from deployments where id = any (new_ids)), 1
		);
		insert into history_days as h (user_id, day, added) values (owner, utc_day(now), added)
		on conflict (user_id) do update set
			added = case when h.day = excluded.day then h.added else 0 end + excluded.added, day = excluded.day;
	end if;
	return json_build_object(
		'outcome', 'judged', 'results', results,
		'first_ms', extract(epoch from first_live) * 1000, 'now_ms', extract(epoch from now) * 1000
	);
end
$$;
