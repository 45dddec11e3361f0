create table "joined_projects" (
	"user_id" bigint not null,
	"spelling" text not null,
	"target" text not null,
	"scopes" text[] not null,
	"created_at" timestamp with time zone default now() not null,
	"moved_at" timestamp with time zone,
	constraint "joined_projects_user_id_spelling_pk" primary key("user_id","spelling")
);
--> statement-breakpoint
alter table "tokens" add column "actor" text;--> statement-breakpoint
alter table "users" add column "environment_order" text[];--> statement-breakpoint
alter table "deployments" add column "project" text;--> statement-breakpoint
alter table "deployments" add column "actor" text;--> statement-breakpoint
alter table "deployments" add column "environment_url" text;--> statement-breakpoint
alter table "webhooks" add column "actors" text[] default '{}' not null;--> statement-breakpoint
alter table "joined_projects" add constraint "joined_projects_user_id_users_id_fk" foreign key ("user_id") references "public"."users"("id") on delete cascade on update no action;--> statement-breakpoint
create index "joined_projects_unmoved" on "joined_projects" using btree ("user_id","spelling") where "joined_projects"."moved_at" is null;--> statement-breakpoint
create index "deployments_reread" on "deployments" using btree ("id") where url is not null and project is null and (
  target_rule is null or target_rule < 3 and url ~* '([.]|%2e)(g|%[46]7)(i|%[46]9)(t|%[57]4)([^a-z0-9]|$)'
  or target_rule < 4 and (
    url ~* '%[2-7]|\\|/(releases|tags|tag)/.+[-_@]v?[0-9]|/(tags/|tag/|releases/(?!tag/)).*[^/]/v?[0-9]'
    or url ~* '^https?://[^/]+/+[^/]+/+(actions|blob|commits?|compare|issues|jobs?|merge_requests|pipelines|pull|pull-requests|pulls|releases|src|tags?|tree)([^a-z0-9_-]|$)'
    or url !~* '^https?://(www[.])?(bitbucket[.]org|codeberg[.]org|git[.]sr[.]ht|gitea[.]com|gitee[.]com|github[.]com|gitlab[.]com)/'
      and url ~* '/([0-9]+|_git|activity|applications|blue|builds?|codesuite|commits?|compare|go|issues|jobs?|merge_requests|pages|pipelines|pull|pull-requests|pulls|releases?|repos|runs?|tags?|workflows)([^a-z0-9_-]|$)'
  )
);--> statement-breakpoint
create index "deployments_actor" on "deployments" using btree (lower(actor collate "C"),"id") where "deployments"."actor" is not null;--> statement-breakpoint
create index "deployments_user_actor" on "deployments" using btree ("user_id",lower(actor collate "C"),"id") where "deployments"."actor" is not null;--> statement-breakpoint
create index "deployments_target_actor" on "deployments" using btree ("user_id","target",lower(actor collate "C"),"id") where "deployments"."target" is not null and "deployments"."actor" is not null;