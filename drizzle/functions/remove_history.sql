-- Deletes up to `most` deployments of a user from history, and takes them out of all that they counted for.
-- Returns how many. The oldest go first, so that a scope or target keeps its latest deployment until nothing is
-- left of it.
create or replace function remove_history(owner bigint, most integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	gone_ids bigint[];
	gone_instants timestamptz[];
	gone_targets text[];
	gone_scopes text[];
	emptied text[];
begin
	-- As withdraw_deployment does: other removals of the user wait for this one, and announcements do not.
	perform from users where id = owner for no key update;
	-- Compares rows, and probes by subqueries with a limit: otherwise Postgres may read the ids of all users, or all
	-- deployments of this one.
	gone_ids := array(
		select id from deployments
		where (user_id, id) > (owner, -${largestId}) and (user_id, id) < (owner, 0) order by user_id, id limit most
	);
	if gone_ids = '{}' then
		return 0;
	end if;

	-- The lock of the feed (src/database/locks-and-pacing.ts): no announcement counts for a target that is removed below.
	perform pg_advisory_xact_lock(${feedLock});
	with gone as (delete from deployments where id = any (gone_ids) returning deployed_at, target, scopes)
	select array_agg(deployed_at), array_agg(distinct target) filter (where target is not null),
		(select array_agg(distinct scope) from gone, unnest(scopes) as scope)
	into gone_instants, gone_targets, gone_scopes
	from gone;
	perform count_days(array_fill(owner, array[cardinality(gone_instants)]), gone_instants, -1);

	emptied := array(
		select gone_target from unnest(gone_targets) as gone_target
		where (
			select true from deployments d where d.user_id = owner and d.target = gone_target limit 1
		) is null
	);
	delete from targets where user_id = owner and target = any (emptied);
	delete from target_scopes where user_id = owner and scope = any (gone_scopes) and target = any (emptied);
	delete from latest_deployments l
	where l.user_id = owner and l.scope = any (gone_scopes) and l.scope <> '' and (
		select true from target_scopes s where s.user_id = owner and s.scope = l.scope limit 1
	) is null;
	delete from latest_deployments l
	where l.user_id = owner and l.scope = ''
		and (select true from deployments d where d.user_id = owner limit 1) is null;
	return cardinality(gone_instants);
end
$$;
