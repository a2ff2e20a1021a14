#!/bin/sh
# Runs once in the new PostgreSQL of deploy/compose.yaml: the server's role owns its database and is no superuser.
set -eu
url=$(cat "${DATABASE_URL_SECRET:-/run/secrets/database_url}")
role=$(printf %s "$url" | sed -E 's#^[a-z]+://([^:@/]+):.*#\1#')
password=$(printf %s "$url" | sed -E 's#^[a-z]+://[^:]+:([^@]+)@.*#\1#')
database=$(printf %s "$url" | sed -E 's#^.*/([^/?]+)(\?.*)?$#\1#')
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v role="$role" -v password="$password" -v database="$database" <<'SQL'
create role :"role" login password :'password';
create database :"database" owner :"role" encoding 'UTF8' template template0;
SQL
