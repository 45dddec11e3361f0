DROP INDEX "tokens_current";--> statement-breakpoint
DROP INDEX "tokens_old";--> statement-breakpoint
CREATE INDEX "retired_usernames_user" ON "retired_usernames" USING btree ("user_id") WHERE "retired_usernames"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_user" ON "tokens" USING btree ("user_id",("expires_at" is null));