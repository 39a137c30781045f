-- Less to do for PostgreSQL beside each new event, with the same guarantees and one more: an event's family is its child's.

lock table families;

-- By both columns a deletion finds a child's events in the index of the family's changes. By the child alone it read all events of
-- everybody: the index that begins with the child leaves out what was deleted. What is there already is checked by the next migration.
do $$
declare
    kind text;
begin
    foreach kind in array array['feedings', 'diapers', 'sleeps', 'notes'] loop
        execute format('alter table %1$I
            drop constraint %1$s_child_id_fkey,
            drop constraint %1$s_family_id_fkey,
            add foreign key (child_id, family_id) references children (id, family_id)
                on delete cascade not valid', kind);
    end loop;
end
$$;

-- The expression of a check is read and planned for every statement: `in` makes an array of several constants, this is one.
alter table feedings
    drop constraint feedings_type_check,
    drop constraint feedings_side_check,
    drop constraint feedings_content_check,
    add constraint feedings_type_check check (type = any ('{breast,bottle,solid}')) not valid,
    add constraint feedings_side_check check (side = any ('{left,right,both}')) not valid,
    add constraint feedings_content_check
        check (content = any ('{breast_milk,formula,mixed,other}')) not valid;
alter table diapers
    drop constraint diapers_type_check,
    drop constraint diapers_color_check,
    add constraint diapers_type_check check (type = any ('{wet,dirty,mixed,dry}')) not valid,
    add constraint diapers_color_check
        check (color = any ('{yellow,brown,green,black,red,white,other}')) not valid;
alter table sleeps
    drop constraint sleeps_type_check,
    add constraint sleeps_type_check check (type = any ('{nap,night}')) not valid;
-- Every change of a family counts up in its row.
alter table families
    drop constraint families_sharing_policy_check,
    add constraint families_sharing_policy_check
        check (sharing_policy = any ('{standard,co_parent}')) not valid;
