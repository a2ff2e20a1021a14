-- How many devices of each kind run which firmware.
create index devices_firmware_idx on devices (kind, firmware_version);
