-- Counts deployments, given as posters and instants, for the days of their posters: step is 1 for new ones
-- and -1 for deleted ones.
create or replace function count_days(posters bigint[], instants timestamptz[], step integer) returns void
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	insert into daily_deployments as d (user_id, day, deployments)
	select poster, utc_day(instant), step * count(*) from unnest(posters, instants) as c(poster, instant) group by 1, 2
	on conflict (user_id, day) do update set deployments = d.deployments + excluded.deployments;
	if step < 0 then
		delete from daily_deployments d using unnest(posters, instants) as c(poster, instant)
		where d.user_id = poster and d.day = utc_day(instant) and d.deployments <= 0;
	end if;
end
$$;
