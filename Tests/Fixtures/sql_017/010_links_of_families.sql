-- A family's deletion takes its used and revoked links along, too, and read everybody's to find them.
create index if not exists share_links_family on share_links (family_id);
drop index share_links_open;
