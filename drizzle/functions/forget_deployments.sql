-- Deletes deployments, takes them out of all that they counted for, and returns how many they were. Whatever deletes
-- deployments does it by this.
create or replace function forget_deployments(ids bigint[]) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	posters bigint[];
	instants timestamptz[];
begin
	perform uncount_scopes(ids);
	with gone as (delete from deployments where id = any (ids) returning user_id, deployed_at)
	select array_agg(user_id), array_agg(deployed_at) into posters, instants from gone;
	perform count_days(posters, instants, -1);
	return coalesce(cardinality(posters), 0);
end
$$;
