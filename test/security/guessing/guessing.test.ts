import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { resourcesFor } from '../resources.ts'
import { validRequest } from '../requests.ts'
import { send, startAudited } from '../server.ts'

const server = await startAudited()

/** Requests of one address without identity that get past the limit: 300 at once, then 10 per second. */
const burst = 300
const perSecond = 10

test('a client that guesses is stopped at every open door, and nobody else is', async () => {
  const started = performance.now()
  const guesses = [
    () => ['POST', `/api/console/frontend-errors?id=fe_${randomBytes(8).toString('hex')}`, '{"message":"x"}'],
    () => ['GET', `/api/auth/invitation?token=${randomBytes(24).toString('base64url')}`],
    () => ['GET', `/api/status/${randomUUID().slice(0, 8)}`],
    () => ['GET', `/api/auth/callback/oidc?code=${randomUUID()}&state=${randomUUID()}`],
    () => [
      'POST',
      '/api/auth/sign-in/email',
      JSON.stringify({ email: `${randomUUID()}@example.com`, password: randomUUID() }),
    ],
  ] as const
  let admitted = 0
  for (let round = 0; round < 20; round++)
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const [method = '', path = '', body] = guesses[at % guesses.length]?.() ?? []
        const response = await fetch(`${server.url}${path}`, {
          method,
          redirect: 'manual',
          headers: body === undefined ? {} : { 'content-type': 'application/json', origin: server.url },
          ...(body !== undefined && { body }),
        })
        await response.body?.cancel()
        if (response.status !== 429) admitted++
      }),
    )
  const seconds = (performance.now() - started) / 1_000
  assert.ok(admitted >= burst, `${admitted} admitted`)
  assert.ok(admitted <= burst + seconds * perSecond + 1, `${admitted} admitted in ${seconds} s`)

  // The same limit at every route for everybody, unless its body is signed.
  const open = [...server.routes.values()].filter(
    ({ template, config }) =>
      (config.needs === 'anyone' || config.needs === 'page') &&
      template.startsWith('/api/') &&
      config.signedBody !== true,
  )
  assert.ok(open.length >= 8, `${open.length} open routes`)
  for (const route of open) {
    const request = validRequest(server.document, route, await resourcesFor(server, route))
    const statuses = new Set<number>()
    // The first round reaches the limit, unless a slow machine has let some of it come back meanwhile.
    for (let round = 0; round < 20 && !statuses.has(429); round++) {
      const replies = await Promise.all(Array.from({ length: 15 }, () => send(server.url, request, {})))
      for (const { status } of replies) statuses.add(status)
    }
    assert.ok(statuses.has(429), `${route.method} ${route.template}: ${[...statuses].join(' ')}`)
  }
  assert.equal((await server.call('/api/v1/keys', { key: server.key })).status, 200)
  assert.equal((await fetch(`${server.url}/livez`)).status, 200)
})

test('a token or a key has at least 128 random bits and is kept as a hash only', async () => {
  const invited = await server.call(`/api/v1/groups/${server.groupId}/invitations`, {
    json: { role: 'viewer' },
  })
  const token = new URL(invited.json.url as string).searchParams.get('token') ?? ''
  const { json: made } = await server.call('/api/v1/keys', { json: { name: 'guessed' } })
  const secrets = [
    token,
    (made.key as string).replace(/^sb-/, ''),
    server.first.localOwnerToken?.reveal() ?? '',
  ]
  for (const secret of secrets) {
    // At most 6 bits a character.
    assert.match(secret, /^[\w-]{22,}$/)
    assert.ok(new Set(secret).size >= 10, 'it has few different characters')
  }
  const [kept] = await server.query<{ all: string }>(
    `select (select string_agg(i::text, ' ') from access.invitations i)
      || (select string_agg(k::text, ' ') from access.api_keys k) as all`,
  )
  for (const secret of secrets) assert.ok(!kept?.all.includes(secret))
})
