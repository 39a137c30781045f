-- Tokens by which other programs act for a member in one family.

create table tokens (
    id uuid primary key,
    family_id uuid not null,
    -- Whose it is. It goes with the membership.
    user_id uuid not null,
    -- What tells it apart.
    name varchar(100) not null,
    -- As a session's.
    token_hash varchar(64) not null unique,
    scope varchar(10) not null check (scope in ('read', 'log')),
    created_at timestamptz not null,
    -- To within a minute.
    last_used_at timestamptz,
    expires_at timestamptz,
    foreign key (family_id, user_id) references family_members (family_id, user_id) on delete cascade
);
create index tokens_of_member on tokens (family_id, user_id);
create index tokens_of_user on tokens (user_id);
create index tokens_expiry on tokens (expires_at) where expires_at is not null;

-- The token's that did it, which may be gone.
alter table audit_logs add column token_name varchar(100);

grant select, insert, update, delete on tokens to babybasics;
