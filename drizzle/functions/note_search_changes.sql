-- Notes which batches of the index of words have to be written again. Only adds rows, so that no one waits.
-- Deployments from history, whose ids are negative, are not in that index.
create or replace function note_search_changes() returns trigger
language plpgsql as $$
begin
	insert into search_changes (batch) select distinct (id / ${batchSize})::int from gone where id > 0;
	return null;
end
$$;
--> statement-breakpoint
create or replace trigger deployments_deleted after delete on deployments
referencing old table as gone for each statement execute function note_search_changes();
--> statement-breakpoint
create or replace trigger deployments_changed after update on deployments
referencing old table as gone for each statement execute function note_search_changes();
