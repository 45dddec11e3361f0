alter table "served_at" add column "proxy_signs_in" boolean default false not null;--> statement-breakpoint
alter table "served_at" add column "webhooks" text default 'off' not null;--> statement-breakpoint
alter table "served_at" add column "streams_max" integer default 10000 not null;--> statement-breakpoint
alter table "served_at" add column "backup_every_seconds" integer;