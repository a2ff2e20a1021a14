-- Pieces are kept beside the row: computing them anew for each row that a find looks at took most of its time.
drop index finds_pieces_idx;
alter table finds add column pieces text[] generated always as (find_pieces(kind, tenant_id, title, words, places)) stored;
create index finds_pieces_idx on finds using gin (pieces) with (gin_pending_list_limit = 64);
