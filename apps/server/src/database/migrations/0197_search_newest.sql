-- A search for what thousands of articles hold reads the newest until a page is full, instead of sorting all of them.
create index article_search_newest_idx on article_search (published_at desc, article_id desc);
