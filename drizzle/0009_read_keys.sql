create table "read_keys" (
	"user_id" bigint primary key not null,
	"hash" text not null,
	"last_four" text not null,
	"created_at" timestamp with time zone default now() not null,
	"last_used_at" timestamp with time zone,
	constraint "read_keys_hash_unique" unique("hash")
);
--> statement-breakpoint
alter table "read_keys" add constraint "read_keys_user_id_users_id_fk" foreign key ("user_id") references "public"."users"("id") on delete cascade on update no action;