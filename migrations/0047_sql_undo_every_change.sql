-- Every change of rows that the proxy makes is kept, or the reason why it cannot be undone.
alter table sql.undo_images
  alter column schema_name drop not null,
  alter column table_name drop not null,
  alter column operation drop not null,
  alter column secret_id drop not null,
  add column reason text,
  drop constraint undo_images_operation_check,
  add constraint undo_images_operation_check check (operation in ('INSERT', 'UPDATE', 'DELETE')),
  add constraint undo_images_kept_or_reason check ((secret_id is null) = (reason is not null));
