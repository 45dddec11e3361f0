DROP INDEX "deployments_user";--> statement-breakpoint
CREATE INDEX "deployments_user" ON "deployments" USING btree ("user_id","id","deployed_at");