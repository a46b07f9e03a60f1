-- Tokens of the OpenID Connect issuer are not needed after sign-in, and are no longer stored.
update access.accounts
set access_token = null, refresh_token = null, id_token = null,
  access_token_expires_at = null, refresh_token_expires_at = null
where coalesce(access_token, refresh_token, id_token) is not null;
