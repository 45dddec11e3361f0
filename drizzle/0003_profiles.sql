CREATE TABLE "daily_deployments" (
	"user_id" bigint NOT NULL,
	"day" date NOT NULL,
	"deployments" integer NOT NULL,
	CONSTRAINT "daily_deployments_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
CREATE TABLE "targets" (
	"user_id" bigint NOT NULL,
	"target" text NOT NULL,
	"deployed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "targets_user_id_target_pk" PRIMARY KEY("user_id","target")
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "target" text;--> statement-breakpoint
ALTER TABLE "daily_deployments" ADD CONSTRAINT "daily_deployments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "targets" ADD CONSTRAINT "targets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "targets_latest" ON "targets" USING btree ("user_id","deployed_at");--> statement-breakpoint
UPDATE "deployments" SET "target" = CASE
	WHEN "scopes"[2] NOT IN ('bitbucket.org', 'codeberg.org', 'git.sr.ht', 'gitea.com', 'gitee.com', 'github.com', 'gitlab.com') THEN "scopes"[2]
	WHEN starts_with("scopes"[4], "scopes"[2] || '/') THEN "scopes"[4]
	WHEN starts_with("scopes"[3], "scopes"[2] || '/') THEN "scopes"[3]
	ELSE "scopes"[2]
END;--> statement-breakpoint
INSERT INTO "targets" ("user_id", "target", "deployed_at")
SELECT "user_id", "target", max("deployed_at") FROM "deployments" WHERE "target" IS NOT NULL GROUP BY 1, 2;--> statement-breakpoint
INSERT INTO "daily_deployments" ("user_id", "day", "deployments")
SELECT "user_id", ("deployed_at" AT TIME ZONE 'UTC')::date, count(*) FROM "deployments" GROUP BY 1, 2;
