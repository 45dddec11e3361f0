create table "user_stamps" (
	"user_id" bigint primary key not null,
	"stamp" uuid not null
);
