-- The releases that a user deployed to a project and environment before an id, the newest first, each as an array of its
-- id, version and commit; at most as many as src/domain/release/rollback.ts looks at. Null if there is none, no project or no
-- environment. The walk is that of src/data/feed-pages.ts.
create or replace function earlier_releases(of_user bigint, of_target text, of_environment text, before bigint) returns json
language plpgsql stable strict parallel safe
as $$
declare
	key text := lower(of_environment collate "C");
begin
	return (
		select json_agg(json_build_array(id, version, commit))
		from (
			select user_id, target, environment, id, version, commit from deployments
			where (user_id, target, lower(environment collate "C"), id) < (of_user, of_target, key, before)
				and user_id >= of_user and target is not null and environment is not null
			order by user_id desc, target desc, lower(environment collate "C") desc, id desc
			limit ${earlierReleases}
		) walked
		where user_id = of_user and target = of_target and lower(environment collate "C") = key
	);
end
$$;
