/** Columns that only the library for sign-in reads and writes. */
export const notRead: Readonly<Record<string, readonly string[]>> = {
  'access.users': ['image', 'updated_at'],
  'access.accounts': [
    'access_token',
    'refresh_token',
    'id_token',
    'access_token_expires_at',
    'refresh_token_expires_at',
    'scope',
    'created_at',
    'updated_at',
  ],
  'access.sessions': ['token', 'ip_address', 'user_agent', 'created_at', 'updated_at'],
  'access.verifications': ['identifier', 'value', 'created_at', 'updated_at'],
}
