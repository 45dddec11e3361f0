-- How many deployments a user has posted in the minute up to an instant, and the instant of the oldest. Withdrawn
-- ones count. Reads at most twice as many rows as the rate. Posts in the future, by a clock that was set
-- back, do not count; nor does history, whose ids are negative.
create or replace function posts_of_last_minute(of_user bigint, rate integer, at timestamptz)
returns table (posted integer, oldest timestamptz)
language sql stable as $$
	select count(*)::int, min(deployed_at)
	from (
		(select deployed_at from deployments where user_id = of_user and id > 0 order by id desc limit rate)
		union all
		(
			select deployed_at from withdrawals
			where user_id = of_user and deployed_at > at - interval '1 minute' and deployed_at <= at
			limit rate
		)
	) last
	where deployed_at > at - interval '1 minute' and deployed_at <= at
$$;
