-- How many deployments a user has posted in the minute up to an instant, but at most twice as many as the rate, and the
-- instant of the oldest. Withdrawn ones count. Posts in the future, by a clock that was set back, do not count; nor does
-- history, whose ids are negative. Reads on from the newest until the minute or the rate ends, and one row of another
-- user at most, because a bound would not end it (src/data/feed-pages.ts).
create or replace function posts_of_last_minute(of_user bigint, rate integer, at timestamptz)
returns table (posted integer, oldest timestamptz)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	post record;
begin
	select count(*), min(deployed_at) into posted, oldest
	from (
		select deployed_at from withdrawals
		where user_id = of_user and deployed_at > at - interval '1 minute' and deployed_at <= at
		limit rate
	) withdrawn;
	for post in
		select d.user_id, d.id, d.deployed_at from deployments d where (d.user_id, d.id) < (of_user, ${largestId})
		order by d.user_id desc, d.id desc limit rate
	loop
		exit when post.user_id <> of_user or post.id < 0 or post.deployed_at <= at - interval '1 minute';
		continue when post.deployed_at > at;
		posted := posted + 1;
		oldest := least(oldest, post.deployed_at);
	end loop;
	return next;
end
$$;
