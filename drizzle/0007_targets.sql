CREATE TABLE "target_scopes" (
	"user_id" bigint NOT NULL,
	"scope" text NOT NULL,
	"target" text NOT NULL,
	CONSTRAINT "target_scopes_user_id_scope_target_pk" PRIMARY KEY("user_id","scope","target")
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "target_rule" smallint;--> statement-breakpoint
ALTER TABLE "latest_deployments" ADD COLUMN "target_rule" smallint;--> statement-breakpoint
ALTER TABLE "targets" ADD COLUMN "target_rule" smallint;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "user_id" bigint;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "deployed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "target_scopes" ADD CONSTRAINT "target_scopes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deployments_user_category" ON "deployments" USING btree ("user_id","category","id") WHERE "deployments"."category" is not null;--> statement-breakpoint
CREATE INDEX "deployments_target" ON "deployments" USING btree ("user_id","target","id") WHERE "deployments"."target" is not null;--> statement-breakpoint
CREATE INDEX "deployments_target_category" ON "deployments" USING btree ("user_id","target","category","id") WHERE "deployments"."target" is not null and "deployments"."category" is not null;--> statement-breakpoint
CREATE INDEX "deployments_old_rule" ON "deployments" USING btree ("id") WHERE "deployments"."target_rule" is null and "deployments"."url" is not null;--> statement-breakpoint
CREATE INDEX "latest_deployments_old_rule" ON "latest_deployments" USING btree ("user_id","scope") WHERE "latest_deployments"."target_rule" is null and "latest_deployments"."scope" <> '';--> statement-breakpoint
CREATE INDEX "targets_old_rule" ON "targets" USING btree ("user_id","target") WHERE "targets"."target_rule" is null;--> statement-breakpoint
CREATE INDEX "withdrawals_user" ON "withdrawals" USING btree ("user_id","deployed_at") WHERE "withdrawals"."user_id" is not null;