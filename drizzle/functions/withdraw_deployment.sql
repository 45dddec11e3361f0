-- Deletes a deployment of its poster, takes it out of all that it counted for, and rings the bell; false if
-- the poster has no such deployment. One from history is deleted without an event. The deployments that take its
-- place are looked up before the lock of all announcements is taken. In between, the user may announce, which is newer
-- than anything found, but cannot withdraw anything else. Every statement sees what was committed before it.
create or replace function withdraw_deployment(poster bigint, gone_id bigint) returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	-- If a scope has at most this many other targets, each is probed; if it has more, a walk from the latest
	-- soon finds one.
	few_targets constant integer := 200;
	gone record;
	gone_scope text;
	others text[];
	older_of_target timestamptz;
	older timestamptz;
	hidden_scopes text[] := '{}';
	older_of_scopes timestamptz[] := '{}';
begin
	-- Other withdrawals of the user wait for this one. Not `for update`: an announcement would wait for that lock
	-- while it holds the feed's lock.
	perform from users where id = poster for no key update;
	select id, target, scopes, deployed_at into gone from deployments where id = gone_id and user_id = poster;
	if not found then
		return false;
	end if;

	-- The deployments before it, which will count in its place.
	select deployed_at into older_of_target from deployments
	where user_id = poster and target = gone.target and id <> gone_id order by id desc limit 1;
	select deployed_at into older from deployments
	where user_id = poster and id <> gone_id order by id desc limit 1;
	hidden_scopes := hidden_scopes || ''::text;
	older_of_scopes := older_of_scopes || older;
	for gone_scope in
		select l.scope from latest_deployments l
		where l.user_id = poster and l.scope = any (gone.scopes) and l.scope <> '' and l.deployed_at <= gone.deployed_at
	loop
		others := array(
			select s.target from target_scopes s
			where s.user_id = poster and s.scope = gone_scope and s.target is distinct from gone.target
			limit few_targets + 1
		);
		if cardinality(others) <= few_targets then
			-- Lateral and limited: a probe for each, however many Postgres expects.
			select max(t.deployed_at) into older
			from unnest(others) as other
			cross join lateral (
				select deployed_at from targets where user_id = poster and target = other limit 1
			) t;
		else
			select t.deployed_at into older
			from targets t
			cross join lateral (
				select from target_scopes s
				where s.user_id = poster and s.scope = gone_scope and s.target = t.target
					and s.target is distinct from gone.target
				limit 1
			) s
			where t.user_id = poster order by t.deployed_at desc limit 1;
		end if;
		hidden_scopes := hidden_scopes || gone_scope;
		older_of_scopes := older_of_scopes || greatest(older_of_target, older);
	end loop;

	-- The lock of the feed (src/database/locks-and-pacing.ts), held until the commit. The statements below only probe,
	-- and leave newer counts alone.
	perform pg_advisory_xact_lock(${feedLock});
	delete from deployments where id = gone_id;
	-- It was pruned in the meantime, and taken out of everything.
	if not found then
		return false;
	end if;
	update latest_deployments l set deployed_at = o.deployed_at
	from unnest(hidden_scopes, older_of_scopes) as o(scope, deployed_at)
	where l.user_id = poster and l.scope = o.scope and l.deployed_at <= gone.deployed_at
		and o.deployed_at is not null;
	delete from latest_deployments l
	using unnest(hidden_scopes, older_of_scopes) as o(scope, deployed_at)
	where l.user_id = poster and l.scope = o.scope and l.deployed_at <= gone.deployed_at and o.deployed_at is null;

	if older_of_target is not null then
		update targets set deployed_at = older_of_target
		where user_id = poster and target = gone.target and deployed_at <= gone.deployed_at;
	else
		delete from targets where user_id = poster and target = gone.target and deployed_at <= gone.deployed_at;
		if found then
			delete from target_scopes where user_id = poster and scope = any (gone.scopes) and target = gone.target;
		end if;
	end if;

	perform count_days(array[poster], array[gone.deployed_at], -1);
	-- Followers never saw deployments from history, whose ids are negative.
	if gone_id > 0 then
		insert into withdrawals (id, deployment_id, user_id, deployed_at)
		values (nextval('${feedSequence}'), gone_id, poster, gone.deployed_at);
		-- The bell (src/database/bell.ts) rings at the commit.
		perform pg_notify('${bellChannel}', '');
	end if;
	return true;
end
$$;
