-- Where an application's people may come back to after a log-out; compared exactly. None: they stay at the portal.
alter table oauth_clients add column post_logout_redirect_uris text[] not null default '{}';
