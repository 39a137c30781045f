-- Families take the place of per-child access. Nothing is lost: every child, event, member and link finds its family.

do $$
declare
    stray uuid;
begin
    select c.id into stray
    from children c
    where not exists (select from child_access a where a.child_id = c.id)
    order by c.id
    limit 1;
    if found then
        raise exception 'child % has no access row, so no family can be found for it', stray
            using hint = 'Give it an owner in child_access, or delete it, and migrate again.';
    end if;
end
$$;

create table families (
    id uuid primary key default gen_random_uuid(),
    name varchar(100) not null,
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table family_members (
    id uuid primary key default gen_random_uuid(),
    family_id uuid not null references families on delete cascade,
    user_id uuid not null references users on delete cascade,
    role varchar(20) not null check (role in ('parent', 'caregiver')),
    joined_at timestamptz not null default now(),
    unique (family_id, user_id)
);

-- Each child's home is its earliest owner's family; without owners, a family of its earliest caregiver's.
create temporary table homes on commit drop as
select distinct on (child_id) child_id, user_id, role
from child_access
order by child_id, role = 'owner' desc, created_at, user_id;

-- One family for every owner, and one for everybody who is first among the caregivers of children without owners.
-- The second is apart from what the same person owns: nobody sees more children than before because of it.
create temporary table founders on commit drop as
select user_id, role, gen_random_uuid() as family_id, min(created_at) as founded_at
from (
    select user_id, role, created_at from child_access where role = 'owner'
    union all
    select h.user_id, h.role, a.created_at
    from homes h join child_access a using (child_id, user_id)
    where h.role = 'caregiver'
) access
group by user_id, role;

insert into families (id, name, created_by, created_at, updated_at)
select f.family_id,
       left(coalesce((regexp_match(u.name, '\S+'))[1] || '''s Family', 'Our Family'), 100),
       f.user_id, f.founded_at, f.founded_at
from founders f join users u on u.id = f.user_id;

alter table children add column family_id uuid references families on delete cascade;

update children c
set family_id = f.family_id
from homes h join founders f using (user_id, role)
where h.child_id = c.id;

alter table children alter column family_id set not null;

-- Whoever owned any child of a family is a parent of it, whatever else they were.
insert into family_members (family_id, user_id, role, joined_at)
select family_id, user_id, case when bool_or(parent) then 'parent' else 'caregiver' end, min(since)
from (
    select c.family_id, a.user_id, a.role = 'owner' as parent, a.created_at as since
    from child_access a join children c on c.id = a.child_id
    union all
    select family_id, user_id, true, founded_at from founders
) access
group by family_id, user_id;

alter table share_links
    add column family_id uuid references families on delete cascade,
    add column token_hash varchar(64) unique,
    add column role varchar(20) not null default 'caregiver' check (role in ('parent', 'caregiver')),
    add column expires_at timestamptz;

-- Links that were sent keep working, for as long as a link made then would have.
update share_links l
set family_id = c.family_id,
    token_hash = encode(sha256(convert_to(l.token, 'UTF8')), 'hex'),
    expires_at = l.created_at + interval '7 days'
from children c
where c.id = l.child_id;

alter table share_links
    alter column family_id set not null,
    alter column token_hash set not null,
    alter column expires_at set not null,
    drop column child_id,
    drop column token;

drop table child_access;
