-- Counts new deployments for the days of their targets. A trigger does it, so that older processes do it too.
create or replace function count_target_day() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	insert into target_days as d (user_id, target, day, deployments)
	select user_id, target, utc_day(deployed_at), count(*) from added where target is not null group by 1, 2, 3
	on conflict (user_id, target, day) do update set deployments = d.deployments + excluded.deployments;
	return null;
end
$$;
--> statement-breakpoint
create or replace trigger deployments_counted after insert on deployments
referencing new table as added for each statement execute function count_target_day();
