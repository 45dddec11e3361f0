-- Rolls a token of a user: it gets a new secret, and a last day or null for no end. False if the user has been
-- deleted or has no such token. With `keeps_old`, the old secret works for the hours of src/domain/account/token.ts,
-- but not beyond the end that it had. A secret that an earlier roll kept ends now. Parallel calls run one after another.
create or replace function renew_token(
	owner bigint, token_id bigint, new_hash text, new_last_four text, keeps_old boolean, last_day date
)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
	former tokens%rowtype;
begin
	-- As roll_token does.
	perform from users where id = owner and left(username, 1) <> '~' for no key update;
	if not found then
		return false;
	end if;
	select * into former from tokens
	where user_id = owner and id = token_id and publisher_id is null and (expires_at is null or ends_on is not null);
	if not found then
		return false;
	end if;
	delete from tokens
	where user_id = owner and publisher_id is null and name = former.name and expires_at is not null and ends_on is null;
	update tokens set
		hash = new_hash, last_four = new_last_four, created_at = now(), last_used_at = null, last_used_from = null,
		ends_on = last_day, expires_at = (last_day + 1)::timestamp at time zone 'UTC'
	where hash = former.hash;
	if keeps_old then
		insert into tokens (
			hash, user_id, last_four, created_at, last_used_at, last_used_from,
			expires_at, name, may, targets, environments
		)
		values (
			former.hash, owner, former.last_four, former.created_at, former.last_used_at, former.last_used_from,
			least(former.expires_at, now() + make_interval(hours => ${oldTokenHours})),
			former.name, former.may, former.targets, former.environments
		);
	end if;
	return true;
end
$$;
