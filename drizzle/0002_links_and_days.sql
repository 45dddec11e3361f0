-- Databases of unreleased revisions after version 1.0.0 may have that index already.
drop index if exists "deployments_old_rule";--> statement-breakpoint
create index if not exists "deployments_unread" on "deployments" using btree ("id") where url is not null and (
  target_rule is null or target_rule < 3 and url ~* '([.]|%2e)(g|%[46]7)(i|%[46]9)(t|%[57]4)([^a-z0-9]|$)'
);--> statement-breakpoint
-- Those revisions counted the days of targets in the background: this counts the rest.
do $$ begin
	if to_regclass('public.uncounted_days') is not null then
		lock table uncounted_days in access exclusive mode;
		insert into target_days as d (user_id, target, day, deployments)
		select user_id, target, (deployed_at at time zone 'UTC')::date, count(*) from deployments
		where target is not null and id <= (select up_to from uncounted_days) group by 1, 2, 3
		on conflict (user_id, target, day) do update set deployments = d.deployments + excluded.deployments;
		drop table uncounted_days;
	end if;
end $$;
