-- What was there before migration 11, which left it unchecked: that takes a while, and unlike there nobody waits for these locks.

alter table feedings
    validate constraint feedings_child_id_family_id_fkey,
    validate constraint feedings_type_check,
    validate constraint feedings_side_check,
    validate constraint feedings_content_check;
alter table diapers
    validate constraint diapers_child_id_family_id_fkey,
    validate constraint diapers_type_check,
    validate constraint diapers_color_check;
alter table sleeps
    validate constraint sleeps_child_id_family_id_fkey,
    validate constraint sleeps_type_check;
alter table notes validate constraint notes_child_id_family_id_fkey;
alter table families validate constraint families_sharing_policy_check;
