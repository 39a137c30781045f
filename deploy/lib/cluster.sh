# Sourced by deploy/run and deploy/lib/container: a PostgreSQL cluster in $data, of the account $database_user (empty:
# ours), on $sockets/database.

port=${DATABASE_PORT:-5432}
owned=(install -d -m 700 ${database_user:+-o "$database_user" -g "$database_user"})

make_cluster() {
    [[ ! -s $data/PG_VERSION ]] || return 0
    # In a directory of its own, moved when it is whole: half a cluster is never mistaken for one.
    rm -rf "$data.new"
    "${owned[@]}" "$data.new" "$place/password"
    echo "$SUPERUSER_PASSWORD" >"$place/password/file"
    (cd / && as "$database_user" KILL "$postgresql/initdb" -D "$data.new" -U postgres --pwfile "$place/password/file" \
        --auth scram-sha-256 --encoding UTF8 --locale C.UTF-8 --data-checksums) || return
    rm -rf "$place/password"
    mv "$data.new" "$data"
}

start_cluster() {
    local i postmaster
    cat >"$data/postgresql.conf" <<SETTINGS
# Written at every start.
listen_addresses = '${DATABASE_PORT:+127.0.0.1}'
port = $port
unix_socket_directories = '$sockets/database'
max_connections = $((workers * ${DATABASE_CONNECTIONS:-8} + 40))
shared_buffers = 128MB
password_encryption = scram-sha-256
log_line_prefix = '%m [%p] %u '
# No values in the log: neither parameters nor the keys of a conflict.
log_error_verbosity = terse
log_statement = none
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
SETTINGS
    (cd / && as "$database_user" INT "$postgresql/postgres" -D "$data") >>"$place/log/postgres.log" 2>&1 &
    postmaster=$!
    for ((i = 0; i < 600; i++)); do
        ! "$postgresql/pg_isready" -q -h "$sockets/database" -p "$port" || break
        kill -0 "$postmaster" 2>/dev/null || break
        sleep 0.1
    done
}

# Whoever started it: a test stops it and starts it again.
stop_cluster() {
    [[ ! -e $data/postmaster.pid ]] || (cd / && as "$database_user" KILL "$postgresql/pg_ctl" -D "$data" -m fast -t 30 stop) \
        >/dev/null 2>&1 || true
}

# Passwords go in by standard input: an argument is for every account of the machine to see.
make_roles() {
    PGPASSWORD=$SUPERUSER_PASSWORD "$postgresql/psql" -h "$sockets/database" -p "$port" -U postgres -d postgres \
        -v ON_ERROR_STOP=1 -qAtX <<SQL
select format('create role %I login', name) from unnest('{babybasics_owner, babybasics}'::text[]) name
where not exists (select from pg_roles where rolname = name) \gexec
alter role babybasics_owner createdb password '$OWNER_PASSWORD';
alter role babybasics password '$SERVER_PASSWORD';
select 'create database babybasics owner babybasics_owner'
where not exists (select from pg_database where datname = 'babybasics') \gexec
revoke all on database babybasics from public;
grant connect on database babybasics to babybasics;
SQL
}
