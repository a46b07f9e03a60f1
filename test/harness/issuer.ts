import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Product } from './product.ts'

export interface Issuer {
  url: string
  /** The person who will sign in next. */
  next: Record<string, unknown>
  /** A token with these claims, signed with its key. */
  sign(claims: object, header?: object): string
  /** Everything it is asked fails. */
  isDown: boolean
  /** How often its keys were fetched. */
  fetches(): number
}

/** An OpenID Connect issuer of the code flow: discovery, authorise, token, keys, user info. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const granted = new Map<string, { person: Record<string, unknown>; nonce: string | null }>()
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let fetches = 0
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: {},
    isDown: false,
    sign,
    fetches: () => fetches,
  }
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  function sign(claims: object, header: object = {}): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT', ...header })}.${part(claims)}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (issuer.isDown) return void response.writeHead(503).end()
    const url = new URL(request.url ?? '/', issuer.url)
    const send = (body: object): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') return send(discovery(issuer.url))
    if (url.pathname === '/keys') fetches++
    if (url.pathname === '/keys')
      return send({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      })
    if (url.pathname === '/authorise') {
      const code = `code-${granted.size}`
      granted.set(code, { person: issuer.next, nonce: url.searchParams.get('nonce') })
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    if (url.pathname === '/token') {
      const grant = granted.get(new URLSearchParams(await read(request)).get('code') ?? '')
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer.url,
        aud: 'signalbox',
        iat: now,
        exp: now + 300,
        ...(grant?.nonce && { nonce: grant.nonce }),
        ...grant?.person,
      }
      return send({
        access_token: `access-${JSON.stringify(grant?.person)}`,
        token_type: 'Bearer',
        expires_in: 300,
        refresh_token: 'refresh-planted',
        id_token: sign(claims),
      })
    }
    if (url.pathname === '/userinfo')
      return send(JSON.parse((request.headers.authorization ?? '').replace('Bearer access-', '')) as object)
    response.writeHead(404).end()
  }

  return issuer
}

/** Walks the whole way of a browser: to the issuer, back with a code, and in. */
export async function signInWith(
  issuer: Issuer,
  product: Pick<Product, 'url' | 'call'> & { config: { PUBLIC_URL?: string | undefined } },
  email: string,
  verified = true,
  claims: object = {},
) {
  issuer.next = { sub: `sub-${email}`, email, email_verified: verified, name: 'From the issuer', ...claims }
  const jar = new Map<string, string>()
  const keep = (headers: Headers): void => {
    for (const set of headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair)
    }
  }
  const cookie = (): string => [...jar.values()].join('; ')
  const begun = await product.call('/api/auth/sign-in/social', {
    json: { provider: 'oidc', callbackURL: '/' },
    headers: { origin: product.config.PUBLIC_URL ?? product.url },
  })
  assert.equal(begun.status, 200, begun.text)
  keep(begun.headers)
  const authorised = await fetch(begun.json.url, { redirect: 'manual' })
  const back = new URL(authorised.headers.get('location') ?? '')
  const returned = await product.call(`${back.pathname}${back.search}`, { headers: { cookie: cookie() } })
  keep(returned.headers)
  return {
    location: returned.headers.get('location'),
    cookie: cookie(),
    me: await product.call('/api/v1/me', { headers: { cookie: cookie() } }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function discovery(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorise`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    userinfo_endpoint: `${url}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
