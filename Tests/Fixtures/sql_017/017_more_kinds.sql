-- What else parents log every day: pumpings, measurements, temperatures, medications and activities.

-- The new tables refer to users and children, which requests write to.
lock table families;

-- Which kinds a family has events of, or once had, by their place among all: so that nobody looks for others. The first four are always there.
alter table families add column kinds int2[] not null default '{0,1,2,3}';

create table pumpings (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    side varchar(20) check (side = any ('{left,right,both}')),
    amount_ml numeric(5, 1),
    notes varchar(2000)
);

create table measurements (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null,
    occurred_at timestamptz not null,
    weight_g numeric(5),
    length_cm numeric(4, 1),
    head_cm numeric(3, 1),
    notes varchar(2000),
    check (weight_g is not null or length_cm is not null or head_cm is not null)
);

create table temperatures (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null,
    occurred_at timestamptz not null,
    celsius numeric(3, 1) not null,
    site varchar(20) check (site = any ('{rectal,oral,ear,forehead,armpit}')),
    notes varchar(2000)
);

create table medications (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null,
    occurred_at timestamptz not null,
    name varchar(100) not null,
    dose varchar(50),
    notes varchar(2000)
);

create table activities (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    name varchar(60) not null,
    notes varchar(2000)
);

-- What every kind has: who it is of and by, its number among the family's changes, the indexes of the feed, the timeline and the purge.
do $$
declare
    kind text;
    at text;
begin
    for kind, at in values ('pumpings', 'started_at'), ('measurements', 'occurred_at'),
        ('temperatures', 'occurred_at'), ('medications', 'occurred_at'), ('activities', 'started_at')
    loop
        execute format('alter table %I
            add column family_id uuid not null,
            add column created_by uuid references users on delete set null,
            add column created_at timestamptz not null default now(),
            add column updated_at timestamptz not null default now(),
            add column deleted_at timestamptz,
            add column revision bigint not null default 0,
            add foreign key (child_id, family_id) references children (id, family_id) on delete cascade', kind);
        execute format('create index %I on %I (family_id, revision)', kind || '_changes', kind);
        execute format('create index %I on %I (child_id, %I desc, id desc) where deleted_at is null',
            kind || '_timeline', kind, at);
        execute format('create index %I on %I (deleted_at) where deleted_at is not null', kind || '_deleted', kind);
        execute format('grant select, insert, update, delete on %I to babybasics', kind);
    end loop;
end
$$;
