import type { JWTPayload } from 'jose'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import { clockToleranceSeconds } from './access-tokens.ts'
import { endPassword } from './session-store.ts'
import type { AccessTables } from './tables.ts'

/** The better-auth plugins for the issuer that the operator has set up, if any. */
export async function issuerPlugins(config: Config) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return []
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth')
  return [
    genericOAuth({
      config: [
        {
          providerId: 'oidc',
          name: config.OIDC_NAME,
          discoveryUrl: `${OIDC_ISSUER}/.well-known/openid-configuration`,
          clientId: OIDC_CLIENT_ID,
          clientSecret: OIDC_CLIENT_SECRET.reveal(),
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          requireIdTokenVerification: true,
        },
      ],
    }),
  ]
}

/** What the signature does not say: the token ends, was not issued in the future, and was asked for by us. */
export function isIdTokenForUs(clientId: string, { exp, iat, aud, azp }: JWTPayload): boolean {
  if (exp === undefined || iat === undefined) return false
  if (iat > Date.now() / 1_000 + clockToleranceSeconds) return false
  return azp === undefined ? [aud].flat().length === 1 : azp === clientId
}

const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

/** Only the identity is needed, so the issuer's tokens are not stored. */
export function accountHooks(db: Kysely<AccessTables>) {
  return {
    create: {
      async before(account: { userId: string; providerId: string }) {
        // Nobody has verified the address of an account with a password: the issuer knows whose it is.
        if (account.providerId === 'oidc') await endPassword(db, account.userId)
        return { data: { ...account, ...noTokens } }
      },
    },
    update: { before: async (account: object) => ({ data: { ...account, ...noTokens } }) },
  }
}
