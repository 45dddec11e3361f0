-- Locks users, in the order of their ids: other removals of their deployments wait for this one, and announcements do
-- not. Whoever needs the lock of the feed too (src/database/locks.ts) takes it afterwards: with this one
-- order, nobody waits for the feed while announcements wait for him. Not `for update`: an announcement would wait for
-- that while it holds the lock of the feed.
create or replace function lock_users(owners bigint[]) returns void
language plpgsql as $$
begin
	perform from users where id = any (owners) order by id for no key update;
end
$$;
