create table "served_at" (
	"is_only" boolean primary key default true not null,
	"base_url" text not null
);