CREATE TABLE "retired_usernames" (
	"username" text PRIMARY KEY NOT NULL,
	"user_id" bigint
);
