CREATE TABLE "withdrawals" (
	"id" bigint PRIMARY KEY NOT NULL,
	"deployment_id" bigint NOT NULL
);
