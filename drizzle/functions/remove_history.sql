-- Deletes up to `most` deployments of a user from history, and returns how many. The oldest go first, so that a scope or
-- target keeps its latest deployment until nothing is left of it.
create or replace function remove_history(owner bigint, most integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	perform lock_users(array[owner]);
	return forget_deployments(array(
		-- Bounds within the walk would not end it (src/data/feed-pages.ts).
		select id from (
			select user_id, id from deployments where (user_id, id) > (owner, -${largestId}) order by user_id, id limit most
		) walked
		where user_id = owner and id < 0
	));
end
$$;
