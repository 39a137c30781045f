-- The schema before families: each child is shared on its own, by links whose token is stored as it is.

create table users (
    id uuid primary key default gen_random_uuid(),
    email varchar(254) not null unique,
    name text not null,
    password_hash text not null,
    timezone varchar(64) not null default 'America/New_York',
    day_start_time varchar(5) not null default '07:00',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    token_hash varchar(64) not null unique,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null
);

create table children (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    date_of_birth date not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table child_access (
    child_id uuid not null references children on delete cascade,
    user_id uuid not null references users on delete cascade,
    role varchar(20) not null check (role in ('owner', 'caregiver')),
    created_at timestamptz not null default now(),
    primary key (child_id, user_id)
);

create table share_links (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null references children on delete cascade,
    token text not null unique,
    created_by uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    used_at timestamptz,
    used_by uuid references users on delete set null
);

create table feedings (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null references children on delete cascade,
    type varchar(20) not null check (type in ('breast', 'bottle', 'solid')),
    started_at timestamptz not null,
    ended_at timestamptz,
    side varchar(20) check (side in ('left', 'right', 'both')),
    amount_ml numeric(5, 1),
    content varchar(20) check (content in ('breast_milk', 'formula', 'mixed', 'other')),
    food varchar(200),
    notes varchar(2000),
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table diapers (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null references children on delete cascade,
    type varchar(20) not null check (type in ('wet', 'dirty', 'mixed', 'dry')),
    occurred_at timestamptz not null,
    color varchar(20)
        check (color in ('yellow', 'brown', 'green', 'black', 'red', 'white', 'other')),
    notes varchar(2000),
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table sleeps (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null references children on delete cascade,
    type varchar(20) check (type in ('nap', 'night')),
    started_at timestamptz not null,
    ended_at timestamptz,
    notes varchar(2000),
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table notes (
    id uuid primary key default gen_random_uuid(),
    child_id uuid not null references children on delete cascade,
    content varchar(5000) not null,
    occurred_at timestamptz not null,
    notes varchar(2000),
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- What a row tells of must be able to vanish without it: no foreign keys.
create table audit_logs (
    id uuid primary key default gen_random_uuid(),
    user_id uuid,
    entity_type varchar(30) not null,
    entity_id uuid not null,
    action varchar(20) not null,
    changes jsonb not null default '{}',
    created_at timestamptz not null default now()
);
