-- Where the rows of a sheet were read, what a person chose to read, and what the reading made of each row.

alter table imports
  -- Sheets of the file, the row with the headings, and the first rows.
  add column source jsonb not null default '{}',
  -- Sheet, row and columns that a person chose; null while they were searched.
  add column choice jsonb;

alter table import_rows
  -- Cells whose text is not their content, texts that were understood as others, whether the sheet hides the row, and whether it changes
  -- nothing.
  add column notes jsonb not null default '{}';
