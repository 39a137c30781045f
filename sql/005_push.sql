-- Push: the devices that are told, and what waits to be handed to their push services.

create table devices (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    -- Named it last. The device goes with it, however it ends.
    session_id uuid not null references sessions on delete cascade,
    type varchar(8) not null check (type in ('web_push', 'apns')),
    -- Of web_push an endpoint, of apns a token. A browser that changes hands tells its new owner alone.
    address varchar(2048) not null unique,
    -- Whose connections it is told by: a host of PUSH_HOSTS, or apns.
    service varchar(255) not null,
    -- Of a browser: its public key and its secret, and our key that it was subscribed with.
    p256dh bytea,
    auth bytea,
    push_key varchar(87),
    -- Of apns.
    environment varchar(10) check (environment in ('production', 'sandbox')),
    created_at timestamptz not null,
    check ((type = 'web_push') = (p256dh is not null and auth is not null and push_key is not null)),
    check ((type = 'apns') = (environment is not null))
);
create index devices_user on devices (user_id);
create index devices_session on devices (session_id);

-- One message for one device. It goes when it was handed over, or is not true any more.
create table pushes (
    -- Another one when a newer message takes the place.
    id uuid primary key,
    device_id uuid not null references devices on delete cascade,
    user_id uuid not null references users on delete cascade,
    -- What it is about. No foreign key, as it would tie an account's table to a family's: who sends it looks again.
    family_id uuid not null,
    service varchar(255) not null,
    tag varchar(64) not null,
    title text not null,
    body text not null,
    kind varchar(20) not null,
    child_id uuid,
    event_kind varchar(20),
    plan_id uuid,
    urgency varchar(10) not null check (urgency in ('low', 'normal', 'high')),
    expires_at timestamptz not null,
    created_at timestamptz not null,
    -- When it may be tried; while a worker sends it, when that worker must be gone.
    due_at timestamptz not null,
    attempts integer not null default 0,
    -- A worker has it, or had it when a newer message took its place: the newer one is not to overtake it.
    is_being_sent boolean not null default false,
    unique (device_id, tag)
);
create index pushes_due on pushes (service, due_at);
create index pushes_age on pushes (expires_at);

grant select, insert, update, delete on devices, pushes to babybasics;
