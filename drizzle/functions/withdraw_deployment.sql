-- Deletes a deployment of its poster and rings the bell; false if the poster has no such deployment. One from history is
-- deleted without an event, because followers never saw it, and so is one of an account that is being deleted.
create or replace function withdraw_deployment(poster bigint, gone_id bigint) returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	instant constant timestamptz := (select deployed_at from deployments where id = gone_id and user_id = poster);
begin
	if instant is null or forget_deployments(array[gone_id]) = 0 then
		return false;
	end if;
	insert into withdrawals (id, deployment_id, user_id, deployed_at)
	select nextval('${feedSequence}'), gone_id, id, instant
	from users where id = poster and left(username, 1) <> '~' and gone_id > 0;
	if found then
		-- The bell (src/database/bell.ts) rings at the commit.
		perform pg_notify('${bellChannel}', '');
	end if;
	return true;
end
$$;
