-- Gives users whose deployments were changed or deleted a new stamp, so that no process sends a page of
-- theirs that it has kept (src/data/pages/page-versions.ts). A trigger does it, so that older processes and
-- changes by hand do it too. Stamps are random: after a failover that lost a commit, a counter would give the same
-- one again. They are written in the order of the users, so that no two statements wait for each other.
create or replace function stamp_users() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	insert into user_stamps (user_id, stamp)
	select user_id, gen_random_uuid() from gone group by user_id order by user_id
	on conflict (user_id) do update set stamp = excluded.stamp;
	return null;
end
$$;
--> statement-breakpoint
create or replace trigger deployments_stamped_by_delete after delete on deployments
referencing old table as gone for each statement execute function stamp_users();
--> statement-breakpoint
create or replace trigger deployments_stamped_by_update after update on deployments
referencing old table as gone for each statement execute function stamp_users();
