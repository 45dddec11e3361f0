-- Deletes those of the first `most` deployments with ids between two, both exclusive, that are from before an instant,
-- unless they are the last of a scope, a target or an environment, so that no badge changes. A dry run only counts. Returns the
-- last id that was read, null if none was, and how many were that old, and how many of these stay.
create or replace function prune_deployments(
	after bigint, before_id bigint, before timestamptz, most integer, is_dry_run boolean
) returns json
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	read_ids constant bigint[] := array(
		select id from deployments where id > after and id < before_id order by id limit most
	);
	old integer;
	gone bigint[];
begin
	-- Nobody withdraws what was found to be the last.
	perform lock_users(array(select user_id from deployments where id = any (read_ids)));
	-- Nothing of today is deleted, whatever the clock of the process says.
	select count(*), coalesce(array_agg(id) filter (where not is_last), '{}') into old, gone
	from (
		select d.id, (
			exists (
				select from latest_deployments l
				where l.user_id = d.user_id and l.scope = any (d.scopes) and l.deployed_at <= d.deployed_at
			)
			or exists (
				select from targets t where t.user_id = d.user_id and t.target = d.target and t.deployed_at <= d.deployed_at
			)
			-- The next row of the index belongs to another environment.
			or d.environment is not null and ((
				select (n.user_id, lower(n.environment collate "C")) is distinct from (d.user_id, e.key) from deployments n
				where (n.user_id, lower(n.environment collate "C"), n.id) > (d.user_id, e.key, d.id) and n.environment is not null
				order by n.user_id, lower(n.environment collate "C"), n.id limit 1
			) is not false or d.target is not null and (
				select (n.user_id, n.target, lower(n.environment collate "C")) is distinct from (d.user_id, d.target, e.key)
				from deployments n
				where (n.user_id, n.target, lower(n.environment collate "C"), n.id) > (d.user_id, d.target, e.key, d.id)
					and n.target is not null and n.environment is not null
				order by n.user_id, n.target, lower(n.environment collate "C"), n.id limit 1
			) is not false)
		) as is_last
		from deployments d cross join lateral (select lower(d.environment collate "C") as key) e
		where d.id = any (read_ids) and d.deployed_at < least(before, date_trunc('day', now(), 'UTC'))
	) d;
	if not is_dry_run then
		perform forget_deployments(gone);
	end if;
	return json_build_object('last', read_ids[cardinality(read_ids)], 'old', old, 'kept', old - cardinality(gone));
end
$$;
