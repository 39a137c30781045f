-- Spreads a migrated database over the machines of a Citus cluster, by family: psql -f citus.sql, as a superuser, on the coordinator, once,
-- while the server is stopped. deploy/docs/families-on-many-machines.md tells what comes before and after. No migration: on one machine
-- none of it is there.
\set ON_ERROR_STOP on
set search_path = public;
begin;
set local citus.multi_shard_modify_mode = sequential;

-- --- What every machine has a copy of: accounts, and what says who may do what -----------------------------------

select create_reference_table(name::regclass)
from unnest('{users, families, family_members, children, sessions, plans, tokens}'::text[]) with ordinality as given (name, place)
order by place;

-- --- What grows: on one machine for each family ------------------------------------------------------------------

-- Accounts' own entries are of the family of zeros: what says where a row is can't be NULL.
alter table audit_logs drop constraint audit_logs_pkey;
update audit_logs set family_id = '00000000-0000-0000-0000-000000000000' where family_id is null;
alter table audit_logs
    alter column family_id set default '00000000-0000-0000-0000-000000000000',
    alter column family_id set not null,
    add primary key (family_id, id);

select create_distributed_table('feeds', 'family_id');
select create_distributed_table(name::regclass, 'family_id', colocate_with := 'feeds')
from unnest('{events, tombstones, audit_logs}'::text[]) name;

-- --- All else is the coordinator's: limits, links, mail, devices, reminders, webhooks, and what waits to be sent ---
-- Citus itself keeps the keys between those and what every machine has.

-- --- Names that the server finds before the usual ones --------------------------------------------------------------

create schema on_citus;

-- Citus refuses what may have another value for each row. A statement takes each of these once.
create function on_citus.clock_timestamp() returns timestamptz language internal stable strict parallel safe as 'clock_timestamp';
create function on_citus.set_config(text, text, boolean) returns text language internal stable as 'set_config_by_name';

-- Every page of changes reads the generation, so that every machine has it. What tells a copy of the database stays the coordinator's.
create table on_citus.installation (generation bigint not null);
select create_reference_table('on_citus.installation');
insert into on_citus.installation select generation from public.installation;
create function on_citus.copy_generation() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
    update on_citus.installation set generation = new.generation;
    return null;
end
$$;
create trigger copy_generation after update of generation on public.installation
    for each row execute function on_citus.copy_generation();

grant usage on schema on_citus to babybasics;
grant select, update on on_citus.installation to babybasics;
commit;

select create_distributed_function(name)
from unnest('{"on_citus.clock_timestamp()", "on_citus.set_config(text, text, boolean)"}'::regprocedure[]) name;

-- Whoever the server signs in as. Accounts' changes touch one family after the other, and then what every machine has.
select format('alter role %I set search_path = on_citus, public, pg_catalog', rolname),
    format('alter role %I set citus.multi_shard_modify_mode = sequential', rolname)
from pg_roles where rolcanlogin and not rolsuper and pg_has_role(oid, 'babybasics', 'member') \gexec
