-- Takes a deployment that is deleted, or gets another target, out of the day of its target.
create or replace function recount_target_day() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	if old.target is not null then
		update target_days set deployments = deployments - 1
		where user_id = old.user_id and target = old.target and day = utc_day(old.deployed_at);
		delete from target_days
		where user_id = old.user_id and target = old.target and day = utc_day(old.deployed_at) and deployments <= 0;
	end if;
	if tg_op = 'UPDATE' and new.target is not null then
		insert into target_days as d (user_id, target, day, deployments)
		values (new.user_id, new.target, utc_day(new.deployed_at), 1)
		on conflict (user_id, target, day) do update set deployments = d.deployments + 1;
	end if;
	return null;
end
$$;
--> statement-breakpoint
create or replace trigger deployments_recounted after delete or update of target, deployed_at on deployments
for each row execute function recount_target_day();
