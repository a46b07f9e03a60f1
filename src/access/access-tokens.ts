import type { JWTPayload, jwtVerify, JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Scope } from '#kernel/auth'
import { Fault, faults } from '#kernel/errors'

/** What an access token of the issuer says, once it is known to be meant for us. */
export interface AccessToken {
  /** The person, as the issuer knows them. */
  subject: string
  /** The program that they let act for them. */
  client: string
  scopes: Scope[]
  issuedAt: Date
}

export interface AccessTokens {
  verify(token: string): Promise<AccessToken>
}

/** What an assistant may be given at all. */
export const assistantScopes: readonly Scope[] = ['read', 'sql', 'agents']

/** With a public key only: a token that anybody could sign, or whose sender names a shared secret, is none. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'RS512', 'PS512', 'ES512', 'EdDSA', 'Ed25519']
const discoveryMs = 5_000
export const clockToleranceSeconds = 30
const maxClient = 80

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() })

interface Verifier {
  issuer: string
  keys: JWTVerifyGetKey
  verify: typeof jwtVerify
  isRefusal(error: unknown): boolean
}

/** Access tokens of the issuer of single sign-on. Its keys are fetched when the first one comes. */
export function createAccessTokens({ issuer, audience }: { issuer: string; audience: string }): AccessTokens {
  let loading: Promise<Verifier> | undefined
  const load = (): Promise<Verifier> =>
    (loading ??= discover(issuer).catch((error: unknown) => {
      loading = undefined
      throw unavailable(error)
    }))
  return {
    async verify(token) {
      const { verify, keys, isRefusal, ...found } = await load()
      try {
        const { payload } = await verify(token, keys, {
          issuer: found.issuer,
          audience,
          algorithms,
          requiredClaims: ['sub', 'exp'],
          clockTolerance: clockToleranceSeconds,
        })
        if ((payload.iat ?? 0) > Date.now() / 1_000 + clockToleranceSeconds) throw refused(audience, 'iat')
        return toAccessToken(payload)
      } catch (error) {
        if (error instanceof Fault) throw error
        if (isRefusal(error)) throw refused(audience, error)
        throw unavailable(error)
      }
    },
  }
}

async function discover(issuer: string): Promise<Verifier> {
  const address = issuer.replace(/(?<!\/)\/+$/, '')
  const response = await fetch(`${address}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(discoveryMs),
  })
  const found = discovered.parse(await response.json())
  if (found.issuer.replace(/(?<!\/)\/+$/, '') !== address)
    throw new Error(`It says that it is ${found.issuer}.`)
  // Loaded on first use: most installations have no issuer.
  const { createRemoteJWKSet, errors, jwtVerify: verify } = await import('jose')
  // The issuer did not answer, or not with keys; all others are about the token.
  const outages: readonly string[] = [errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code]
  return {
    issuer: found.issuer,
    keys: createRemoteJWKSet(new URL(found.jwks_uri)),
    verify,
    isRefusal: (error) => error instanceof errors.JOSEError && !outages.includes(error.code),
  }
}

function toAccessToken({ sub, iat = 0, scope, azp, client_id: id }: JWTPayload): AccessToken {
  const named = typeof scope === 'string' ? scope.split(' ') : []
  const own = assistantScopes.filter((each) => named.includes(each))
  const client = [azp, id].find((each) => typeof each === 'string') ?? 'assistant'
  return {
    subject: String(sub),
    client: client.replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxClient),
    // An issuer that does not know our scopes names none: then the role of the person decides.
    scopes: own.length > 0 ? own : [...assistantScopes],
    issuedAt: new Date(iat * 1_000),
  }
}

const refused = (audience: string, cause: unknown): Fault =>
  new Fault(
    faults.invalidApiKey,
    `This access token is not accepted: it must be signed by the issuer of single sign-on, valid now, and issued for ${audience}.`,
    { cause },
  )

const unavailable = (cause: unknown): Fault =>
  new Fault(
    faults.unavailable,
    'The access token cannot be checked: the issuer of single sign-on did not answer. Try again.',
    { cause },
  )
