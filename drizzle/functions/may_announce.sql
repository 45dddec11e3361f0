-- Whether a token with this right and these bounds may announce a deployment with these scopes, to this environment:
-- the rule of tokenRefusal in src/domain/account/token-rights.ts. Postgres inlines it.
create or replace function may_announce(
	may text[], targets text[], environments text[], scopes text[], environment text
)
returns boolean
language sql immutable as $$
	select (
		'announce' = any (may) and (targets = '{}' or targets && scopes)
		and (environments = '{}' or lower(environment collate "C") = any (environments))
	) is true
$$;
