import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '#fake-provider'
import { claude, gpt, messages, startRouted, trailOf, type LoggedAttempt } from '../routing/routed.ts'

/*
 * `npm run chaos:providers`: a provider that fails, dies, hangs and cuts its streams, behind a route with a second
 * one that works. No request fails at the client, and none is billed twice without both calls in its trail. A stream
 * that is cut after its first byte cannot be hidden: those are counted apart.
 */

const phaseMs = Number(process.env['CHAOS_PHASE_MS'] ?? 15_000)
const clients = 4
/** Longer than this a provider that hangs is not waited for. */
const firstTokenMs = 500

const server = await startRouted()
await server.route({
  name: 'chaos',
  targets: [gpt, claude],
  timeout_ms: 4_000,
  first_token_timeout_ms: firstTokenMs,
})

interface Asked {
  isStream: boolean
  status: number
  ms: number
  isWhole: boolean
  headers: Headers
}

async function ask(isStream: boolean): Promise<Asked> {
  const started = performance.now()
  const { status, text, headers } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'chaos', messages, stream: isStream },
  })
  const isWhole = isStream ? text.includes('[DONE]') : status === 200
  return { isStream, status, ms: performance.now() - started, isWhole, headers }
}

async function load(): Promise<Asked[]> {
  const asked: Asked[] = []
  const ends = Date.now() + phaseMs
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let each = client; Date.now() < ends; each++) asked.push(await ask(each % 2 === 0))
    }),
  )
  return asked
}

const share = (part: number): boolean => Math.random() < part
const errors = [429, 500, 502, 503, 529]
const failure = (): Reply => {
  const kind = Math.floor(Math.random() * (errors.length + 1))
  const status = errors[kind]
  return status === undefined ? { reset: 'before-headers' } : { error: { status, retryAfter: 0 } }
}

const phases: [string, () => Reply][] = [
  ['all is well', () => ({})],
  ['30 % of calls fail', () => (share(0.3) ? failure() : {})],
  ['the provider is dead', () => ({ reset: 'before-headers' })],
  ['30 % of calls hang', () => (share(0.3) ? { hang: share(0.5) ? 'before-headers' : 'after-headers' } : {})],
  ['30 % of streams are cut before their first byte', () => (share(0.3) ? { reset: 'after-headers' } : {})],
  [
    '30 % of streams are cut after their first byte',
    () => (share(0.3) ? { text: 'one two three four five', reset: { afterChunks: 2 } } : {}),
  ],
]

for (const [name, reply] of phases)
  test(name, async () => {
    await server.recover()
    server.fake.always('openai', reply)
    const asked = await load()
    const isCut = ({ isStream, status, isWhole }: Asked): boolean => isStream && status === 200 && !isWhole
    const failed = asked.filter((each) => !each.isWhole && !isCut(each))
    const cut = asked.filter(isCut)
    const sorted = asked.map(({ ms }) => ms).toSorted((one, other) => one - other)
    const at = (part: number): string => `${Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)} ms`
    const several = asked.filter(({ headers }) => headers.get('x-signalbox-attempts') !== '1')
    console.log(
      `${name}: ${asked.length} requests, ${several.length} with several calls, ${failed.length} failed, ` +
        `${cut.length} cut after the first byte, p50 ${at(0.5)}, p99 ${at(0.99)}`,
    )
    assert.equal(failed.length, 0, failed.map(({ status }) => status).join(' '))
    if (!name.includes('after their first byte')) assert.equal(cut.length, 0)
    await checkTrails(asked, several.slice(0, 50))
  })

/** Every call that reached a provider is in the trail of its request. */
async function checkTrails(asked: readonly Asked[], several: readonly Asked[]): Promise<void> {
  for (const each of several) {
    const { attempts } = await trailOf(server, each)
    assert.equal(attempts.filter(isCall).length, Number(each.headers.get('x-signalbox-attempts')))
  }
  const calls = asked.reduce((sum, { headers }) => sum + Number(headers.get('x-signalbox-attempts')), 0)
  // A call whose connection was never made did not reach the provider.
  assert.ok(
    server.fake.requests.length <= calls,
    `${server.fake.requests.length} received, ${calls} in trails`,
  )
}

const isCall = ({ error_code }: LoggedAttempt): boolean => error_code !== 'not_portable'
