-- The day in UTC that an instant counts for.
create or replace function utc_day(instant timestamptz) returns date
language sql immutable parallel safe as $$
	select (instant at time zone 'UTC')::date
$$;
