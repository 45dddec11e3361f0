-- Makes the default token of a user if there is none, and else rolls it by renew_token; false if the user has been
-- deleted. Parallel rolls run one after another, and each sees the token of the one before.
create or replace function roll_token(owner bigint, new_hash text, new_last_four text, keeps_old boolean)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	present record;
begin
	-- Not `for update`: an announcement would wait for that lock while it holds the feed's lock. The `~` marks an
	-- account that is being deleted.
	perform from users where id = owner and left(username, 1) <> '~' for no key update;
	if not found then
		return false;
	end if;
	select id, ends_on into present from tokens
	where user_id = owner and publisher_id is null and name = '${defaultToken}'
		and (expires_at is null or ends_on is not null);
	if found then
		-- A new token that has ended already would be of no use.
		return renew_token(
			owner, present.id, new_hash, new_last_four, keeps_old,
			case when present.ends_on >= utc_day(now()) then present.ends_on end
		);
	end if;
	insert into tokens (hash, user_id, last_four, name) values (new_hash, owner, new_last_four, '${defaultToken}');
	return true;
end
$$;
