-- Members who only look, memberships that end by themselves, and invites that parents can tell apart.

lock table families;

-- Both tables are small: reading them for their checks takes less than a change of a family may.
alter table family_members
    add column access_until timestamptz,
    drop constraint family_members_role_check,
    add constraint family_members_role_check check (role = any ('{parent,caregiver,viewer}')),
    add constraint family_members_parents_stay check (access_until is null or role <> 'parent');
alter table share_links
    add column access_until timestamptz,
    add column label varchar(50),
    drop constraint share_links_role_check,
    add constraint share_links_role_check check (role = any ('{parent,caregiver,viewer}'));

-- For the purge.
create index if not exists family_members_ending on family_members (access_until) where access_until is not null;
