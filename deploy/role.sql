-- Run by psql in the Postgres of compose.yaml, as its superuser. Creates a role that owns its database and nothing else.
\set password `sed -E 's|^[^:]+://[^:]+:([^@]+)@.*|\1|' /run/secrets/database_url`
create role shipfeed login password :'password';
create database shipfeed owner shipfeed encoding 'UTF8' template template0;
