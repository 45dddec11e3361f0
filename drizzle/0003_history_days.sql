create table "history_days" (
	"user_id" bigint primary key not null,
	"day" date not null,
	"added" integer not null
);
--> statement-breakpoint
alter table "history_days" add constraint "history_days_user_id_users_id_fk" foreign key ("user_id") references "public"."users"("id") on delete cascade on update no action;
