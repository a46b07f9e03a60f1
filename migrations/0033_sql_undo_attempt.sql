-- The attempt that undid the change: where its outcome is unknown, nobody knows whether it did.
alter table sql.undo_images add column undone_by uuid;
