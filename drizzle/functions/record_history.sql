-- Records deployments from before a user announced here, given as an array of objects with a key and an
-- instant. `rule` is the rule of src/domain/target.ts that read the links; a trial only says what would happen.
-- Draws no id of the feed's sequence, rings no bell, and keeps no lock that announcements wait for. Returns
-- what src/capabilities/import/store.ts describes; null if the user has been deleted.
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
	new_ids bigint[];
begin
	-- An announcement with an instant before `now` holds the feed's lock (src/database/locks.ts) until it is
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
		select i.n, i.key, floor(extract(epoch from i.deployed_at))::bigint * ${idsPerSecond} - ${historyOrigin} as first,
			i.deployed_at > now as is_future, i.deployed_at >= coalesce(first_live, 'infinity') as is_late,
			(select true from deployments d where d.user_id = owner and d.idempotency_key = i.key limit 1) as is_known
		from rows from (json_to_recordset(items) as (key text, deployed_at timestamptz)) with ordinality
			as i(key, deployed_at, n)
	),
	-- Of equal keys the first counts.
	ranked as (
		select *, is_known is null and not is_future and not is_late
			and row_number() over (partition by key, is_future or is_late order by n) = 1 as is_new
		from judged
	),
	placed as (select *, row_number() over (partition by first, is_new order by n) as place from ranked),
	-- Each first id of a second, and how many deployments of this second the user has.
	seconds as (
		select first, (
			select count(*) from deployments d where d.user_id = owner and d.id >= s.first and d.id < s.first + ${idsPerSecond}
		) as stored
		from (select distinct first from placed where is_new) s
	)
	select coalesce(array_agg(
		case
			when is_known then 'known'
			when is_future then 'future'
			when is_late then 'late'
			when not is_new then 'known'
			when place + stored > ${historyASecond} then 'crowded'
			else 'added'
		end order by n
	), '{}')
	into results
	from placed left join seconds using (first);

	added := (select count(*) from unnest(results) as result where result = 'added');
	if added > 0 then
		of_user := (select count(*) from deployments where user_id = owner and id < 0);
		of_day := coalesce((select h.added from history_days h where h.user_id = owner and h.day = utc_day(now)), 0);
		if of_user + added > ${historyOfUser} or of_day + added > ${historyADay} then
			return json_build_object('outcome', case when of_user + added > ${historyOfUser} then 'ofUser' else 'aDay' end);
		end if;
	end if;

	if added > 0 and not is_trial then
		-- The ids of a second belong to all users. Each user tries them from a place of their own, in steps that spread over
		-- the second, so that nobody can take those that another one will try.
		with placed as (
			select n, first, row_number() over (partition by first order by n) as place
			from rows from (json_to_recordset(items) as (deployed_at timestamptz)) with ordinality as i(deployed_at, n)
			cross join lateral (
				select floor(extract(epoch from deployed_at))::bigint * ${idsPerSecond} - ${historyOrigin} as first
			) f
			where results[n] = 'added'
		),
		seconds as (
			select first, count(*) as wanted, (
				select count(*) from deployments d where d.user_id = owner and d.id >= p.first and d.id < p.first + ${idsPerSecond}
			) as stored
			from placed p group by first
		),
		-- Read once, not once for each item.
		free as materialized (
			select first, id, row_number() over (partition by first) as place
			from seconds s cross join lateral (
				select id from (
					select s.first + (abs(hashtextextended(s.first::text, owner) % ${idsPerSecond}) + step * 61803) % ${idsPerSecond} as id
					from (
						select generate_series(s.stored, s.stored + ${historyTries} / (select count(*) from seconds) - 1) as step
					) steps
				) tried
				where (select true from deployments d where d.id = tried.id limit 1) is null limit s.wanted
			) f
		)
		select array_agg(f.id order by r.n), array_agg(
			case when r.result = 'added' and f.id is null then 'crowded' else r.result end order by r.n
		)
		into new_ids, results
		from unnest(results) with ordinality as r(result, n)
		left join placed p using (n) left join free f using (first, place);

		insert into deployments (
			id, user_id, ${fields}, scopes, target, target_rule,
			idempotency_key, token, deployed_at
		)
		select
			new_ids[n], owner, ${fields}, coalesce(j.scopes, c.scopes), coalesce(j.target, c.target), rule,
			key, token, date_trunc('second', deployed_at)
		from rows from (json_to_recordset(items) as (
			key text, deployed_at timestamptz, ${fieldsWithTypes}, scopes text[], target text, token text
		)) with ordinality as c(
			key, deployed_at, ${fields}, scopes, target, token, n
		)
		left join joined_projects j on j.user_id = owner and j.spelling = c.target
		where results[n] = 'added'
		on conflict do nothing;
		get diagnostics added = row_count;
		if added < cardinality(array_positions(results, 'added')) then
			raise 'another user took one of the ids' using errcode = 'serialization_failure';
		end if;
	end if;

	if added > 0 and not is_trial then
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
