-- Gives a user a new token; false if the user has been deleted. Parallel rolls run one after another, and
-- each sees the token of the one before.
create or replace function roll_token(owner bigint, new_hash text, new_last_four text, keeps_old boolean)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
	-- Not for update: recording would wait for it while it holds the feed's lock. The `~` marks an account that
	-- is being deleted.
	perform from users where id = owner and left(username, 1) <> '~' for no key update;
	if not found then
		return false;
	end if;
	-- Publishers' tokens come and go by themselves.
	delete from tokens where user_id = owner and publisher_id is null and (expires_at is not null or not keeps_old);
	update tokens set expires_at = now() + make_interval(hours => ${oldTokenHours})
	where user_id = owner and publisher_id is null;
	insert into tokens (hash, user_id, last_four) values (new_hash, owner, new_last_four);
	return true;
end
$$;
