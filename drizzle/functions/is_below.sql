-- Whether a link lies below a repository, which is written without its scheme and in lower case, as in
-- src/capabilities/publishers/claims.ts. False for a link that writes the repository in another way, apart from the
-- case of letters, and for one with `.` or `..` as a part of its path, however escaped, because it may lead out again.
create or replace function is_below(url text, repository text) returns boolean
language sql immutable parallel safe as $$
	select repository is not null and url is not null
		and starts_with(lower(url collate "C"), 'https://' || repository)
		and substr(url, length('https://' || repository) + 1, 1) in ('', '/', '?', '#')
		and substring(url from '^[^?#]*') !~* '(/|\\|%2f|%5c)([.]|%2e){1,2}(/|\\|%2f|%5c|$)'
$$;
