CREATE TABLE "target_days" (
	"user_id" bigint NOT NULL,
	"target" text NOT NULL,
	"day" date NOT NULL,
	"deployments" integer NOT NULL,
	CONSTRAINT "target_days_user_id_target_day_pk" PRIMARY KEY("user_id","target","day")
);
--> statement-breakpoint
CREATE TABLE "uncounted_days" (
	"up_to" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION "count_target_day"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO target_days AS d (user_id, target, day, deployments)
	VALUES (NEW.user_id, NEW.target, (NEW.deployed_at AT TIME ZONE 'UTC')::date, 1)
	ON CONFLICT (user_id, target, day) DO UPDATE SET deployments = d.deployments + 1;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "recount_target_day"() RETURNS trigger
LANGUAGE plpgsql
-- A connection plans each statement once, maybe while the tables are still empty: by index, whatever their size.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
BEGIN
	-- What is not counted yet is counted as it is then; the lock keeps src/data/upkeep/old-days.ts from doing so meanwhile.
	PERFORM FROM uncounted_days WHERE up_to >= OLD.id FOR SHARE;
	IF FOUND THEN
		RETURN NULL;
	END IF;
	IF OLD.target IS NOT NULL THEN
		UPDATE target_days SET deployments = deployments - 1
		WHERE user_id = OLD.user_id AND target = OLD.target AND day = (OLD.deployed_at AT TIME ZONE 'UTC')::date;
		DELETE FROM target_days
		WHERE user_id = OLD.user_id AND target = OLD.target AND day = (OLD.deployed_at AT TIME ZONE 'UTC')::date
			AND deployments <= 0;
	END IF;
	IF TG_OP = 'UPDATE' AND NEW.target IS NOT NULL THEN
		INSERT INTO target_days AS d (user_id, target, day, deployments)
		VALUES (NEW.user_id, NEW.target, (NEW.deployed_at AT TIME ZONE 'UTC')::date, 1)
		ON CONFLICT (user_id, target, day) DO UPDATE SET deployments = d.deployments + 1;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "deployments_counted" AFTER INSERT ON "deployments"
FOR EACH ROW WHEN (NEW.target IS NOT NULL) EXECUTE FUNCTION "count_target_day"();--> statement-breakpoint
CREATE TRIGGER "deployments_recounted" AFTER DELETE OR UPDATE OF "target", "deployed_at" ON "deployments"
FOR EACH ROW EXECUTE FUNCTION "recount_target_day"();--> statement-breakpoint
INSERT INTO "uncounted_days" ("up_to") SELECT max("id") FROM "deployments" HAVING max("id") IS NOT NULL;
