-- Columns with encrypted values say so.
alter table accounts rename column phone_box to phone_encrypted;
alter table accounts rename column email_box to email_encrypted;
alter table outbox_messages rename column message_box to message_encrypted;
alter table authorization_keys rename column sealed to private_key_encrypted;
