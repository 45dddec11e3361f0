-- Takes deployments out of the scopes and targets that they count for, where count_scopes put them: the deployments
-- before them count in their place. Locks their posters, and then the feed until the commit. What takes their place is
-- looked up in between, when nothing else can be removed; what is announced meanwhile is newer, and left alone.
create or replace function uncount_scopes(ids bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	-- If a scope has at most this many other targets, each is probed; if it has more, a walk from the latest
	-- soon finds one.
	few_targets constant integer := 200;
	states text[];
	gone record;
	of_owner text[];
	others text[];
	older timestamptz;
	-- The targets and scopes whose latest deployment goes, the instant of that, and of the latest that stays.
	target_owners bigint[];
	targets_gone text[];
	target_lasts timestamptz[];
	target_olders timestamptz[];
	scope_owners bigint[] := '{}';
	scopes_gone text[] := '{}';
	scope_lasts timestamptz[] := '{}';
	scope_olders timestamptz[] := '{}';
begin
	perform lock_users(array(select user_id from deployments where id = any (ids)));
	states := array(select xmin::text from deployments where id = any (ids) order by id);

	-- A walk reads one row more than go, whatever its rows belong to: bounds on the id would not end it (feed-pages.ts).
	select array_agg(g.user_id), array_agg(g.target), array_agg(g.last), array_agg(d.deployed_at)
	into target_owners, targets_gone, target_lasts, target_olders
	from (
		select user_id, target, max(deployed_at) as last, count(*) as going
		from deployments where id = any (ids) and target is not null group by 1, 2
	) g
	join targets t on t.user_id = g.user_id and t.target = g.target and t.deployed_at <= g.last
	left join lateral (
		select deployed_at from (
			select id, user_id, target, deployed_at from deployments
			where (user_id, target, id) < (g.user_id, g.target, ${largestId}) and target is not null
			order by user_id desc, target desc, id desc limit g.going + 1
		) walked
		where user_id = g.user_id and target = g.target and id <> all (ids) limit 1
	) d on true;

	for gone in
		select g.* from (
			select d.user_id, u.scope, max(d.deployed_at) as last, count(*) as going, max(t.older) as older
			from deployments d cross join lateral unnest(d.scopes) as u(scope)
			left join unnest(target_owners, targets_gone, target_olders) as t(owner, target, older)
				-- An older rule may have counted it for a scope that does not cover the target any more.
				on t.owner = d.user_id and t.target = d.target and exists (
					select from target_scopes s where s.user_id = d.user_id and s.scope = u.scope and s.target = d.target
				)
			where d.id = any (ids) group by 1, 2
		) g
		join latest_deployments l on l.user_id = g.user_id and l.scope = g.scope and l.deployed_at <= g.last
	loop
		if gone.scope = '' then
			older := (
				select deployed_at from (
					select id, user_id, deployed_at from deployments where (user_id, id) < (gone.user_id, ${largestId})
					order by user_id desc, id desc limit gone.going + 1
				) walked
				where user_id = gone.user_id and id <> all (ids) limit 1
			);
		else
			of_owner := array(
				select target from unnest(target_owners, targets_gone) as g(owner, target) where owner = gone.user_id
			);
			others := array(
				select target from target_scopes
				where user_id = gone.user_id and scope = gone.scope and target <> all (of_owner) limit few_targets + 1
			);
			if cardinality(others) <= few_targets then
				-- Lateral and limited: a probe for each, however many Postgres expects.
				older := (
					select max(t.deployed_at) from unnest(others) as other
					cross join lateral (
						select deployed_at from targets where user_id = gone.user_id and target = other limit 1
					) t
				);
			else
				older := (
					select t.deployed_at from targets t
					cross join lateral (
						select from target_scopes s
						where s.user_id = gone.user_id and s.scope = gone.scope and s.target = t.target limit 1
					) s
					where t.user_id = gone.user_id and t.target <> all (of_owner)
					order by t.user_id desc, t.deployed_at desc limit 1
				);
			end if;
			older := greatest(older, gone.older);
		end if;
		scope_owners := scope_owners || gone.user_id;
		scopes_gone := scopes_gone || gone.scope;
		scope_lasts := scope_lasts || gone.last;
		scope_olders := scope_olders || older;
	end loop;

	-- The lock of the feed (src/database/locks.ts), held until the commit. The statements below only probe.
	perform pg_advisory_xact_lock(${feedLock});
	-- A process of an older release may have changed some of them without the lock on their posters.
	if states <> array(select xmin::text from deployments where id = any (ids) order by id) then
		raise 'deployments changed before they were removed' using errcode = 'serialization_failure';
	end if;

	update latest_deployments l set deployed_at = g.older
	from unnest(scope_owners, scopes_gone, scope_lasts, scope_olders) as g(owner, scope, last, older)
	where l.user_id = g.owner and l.scope = g.scope and l.deployed_at <= g.last and g.older is not null;
	delete from latest_deployments l
	using unnest(scope_owners, scopes_gone, scope_lasts, scope_olders) as g(owner, scope, last, older)
	where l.user_id = g.owner and l.scope = g.scope and l.deployed_at <= g.last and g.older is null;

	update targets t set deployed_at = g.older
	from unnest(target_owners, targets_gone, target_lasts, target_olders) as g(owner, target, last, older)
	where t.user_id = g.owner and t.target = g.target and t.deployed_at <= g.last and g.older is not null;
	with emptied as (
		delete from targets t
		using unnest(target_owners, targets_gone, target_lasts, target_olders) as g(owner, target, last, older)
		where t.user_id = g.owner and t.target = g.target and t.deployed_at <= g.last and g.older is null
		returning t.user_id, t.target
	)
	delete from target_scopes s
	using emptied e, deployments d, unnest(d.scopes) as gone_scope
	where d.id = any (ids) and d.user_id = e.user_id and d.target = e.target
		and s.user_id = e.user_id and s.scope = gone_scope and s.target = e.target;
end
$$;
