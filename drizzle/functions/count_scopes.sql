-- Counts deployments for their scopes and targets, by this rule of src/domain/target.ts: the latest instant
-- of each scope and target, and which targets a scope covers. Counting a deployment twice changes nothing.
-- Together with count_days and count_target_day, this is all that a deployment counts for.
create or replace function count_scopes(ids bigint[], rule smallint) returns void
language plpgsql
-- A connection plans each statement once, maybe while the tables are empty: always use indexes.
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	with counted as materialized (
		select user_id, scopes, target, deployed_at from deployments where id = any (ids)
	),
	latest as (
		-- Version 1.0.0 reads the rule of a scope, and deletes scopes without one.
		insert into latest_deployments as l (user_id, scope, deployed_at, target_rule)
		select user_id, scope, max(deployed_at), rule
		from counted cross join lateral unnest(scopes) as scope group by 1, 2
		on conflict (user_id, scope) do update set
			deployed_at = greatest(l.deployed_at, excluded.deployed_at), target_rule = rule
	),
	covered as (
		-- Only for new targets, and for those that another rule has counted.
		insert into target_scopes (user_id, scope, target)
		select distinct user_id, scope, target
		from counted cross join lateral unnest(scopes) as scope
		where target is not null and scope <> '' and not exists (
			select from targets t
			where t.user_id = counted.user_id and t.target = counted.target and t.target_rule = rule
			-- Makes it a probe for each row, and never a join with all targets.
			offset 0
		)
		on conflict do nothing
	)
	insert into targets as t (user_id, target, deployed_at, target_rule)
	select user_id, target, max(deployed_at), rule from counted where target is not null group by 1, 2
	on conflict (user_id, target) do update set
		deployed_at = greatest(t.deployed_at, excluded.deployed_at), target_rule = rule;
end
$$;
