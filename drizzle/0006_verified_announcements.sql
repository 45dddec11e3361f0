alter table "tokens" add column "environment" text;--> statement-breakpoint
alter table "tokens" add column "version" text;--> statement-breakpoint
alter table "tokens" add column "commit" text;--> statement-breakpoint
alter table "tokens" add column "verifies" text;--> statement-breakpoint
alter table "tokens" add column "verified" text[];--> statement-breakpoint
alter table "deployments" add column "verified" text[];