-- Names of films end in mp4.
alter table attachments drop constraint attachments_name_form;
alter table attachments add constraint attachments_name_form check (name ~ '^upload/[0-9]{8}/[0-9a-f-]{36}\.[a-z0-9]{3,4}$');
