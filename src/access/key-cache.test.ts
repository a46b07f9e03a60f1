import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import type { Database } from '#kernel/db'
import { createLog } from '#kernel/log'
import { stopClock } from '#test/stop-clock'
import { waitFor } from '#test/wait'
import type { ResolvedKeyRow } from './api-key-store.ts'
import { createKeyCache } from './key-cache.ts'
import { createUnknownKeyLimit } from './unknown-keys.ts'
import { hashToken, newApiKeyValue } from './token.ts'

const log = await createLog({ level: 'silent', form: 'json' })

/** A database of keys that can be revoked, held up in the middle of a read, and taken offline. */
async function startKeys() {
  const rows = new Map<string, ResolvedKeyRow>()
  let reads = 0
  let isOffline = false
  let held: Promise<void> | undefined
  let notify = (): void => undefined

  async function query(_text: string, [hash]: readonly Buffer[]) {
    reads += 1
    if (isOffline) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const row = rows.get(String(hash?.toString('hex')))
    await held
    return { command: 'SELECT', rowCount: row ? 1 : 0, rows: row ? [row] : [] }
  }
  const client = { query: (text: string, values: Buffer[]) => query(text, values), release: () => undefined }
  const pool = { connect: async () => client, end: async () => undefined, options: {} }
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
  const listener = { on: async (_channel: string, onMessage: () => void) => void (notify = onMessage) }
  const database = { identity: { tables: () => queries }, listener } as unknown as Database
  const cache = createKeyCache(database, log, createUnknownKeyLimit(), { keys: 10, unknownKeys: 5 })
  await cache.start()

  return {
    resolve: (token: string, address = '192.0.2.1') => cache.resolve(token, address),
    reads: () => reads,
    changed: () => notify(),
    addKey(): string {
      const token = newApiKeyValue()
      rows.set(hashToken(token).toString('hex'), rowNamed(`key ${rows.size}`))
      return token
    },
    revoke(token: string): void {
      const hash = hashToken(token).toString('hex')
      const row = rows.get(hash)
      if (row) rows.set(hash, { ...row, revoked_at: new Date() })
      notify()
    },
    goOffline: () => void (isOffline = true),
    goOnline: () => void (isOffline = false),
    /** Every read from now on finds its row at once and returns it when `release` is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
  }
}

function rowNamed(name: string): ResolvedKeyRow {
  return {
    id: '0190b3a0-0000-7000-8000-000000000001',
    name,
    group_id: '0190b3a0-0000-7000-8000-000000000002',
    group_name: 'Default',
    created_by: null,
    creator_name: null,
    creator_email: null,
    role: null,
    scopes: ['gateway'],
    provider_key_overrides: {},
    expires_at: null,
    revoked_at: null,
    model_lists: [],
    address_lists: [],
    run_id: null,
    run_agent_id: null,
    run_mode: null,
    run_agent_version: null,
    run_request: null,
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const unknownKey = (number: number): string => `sb-${String(number).padStart(43, '0')}`
const revoked = { code: 'invalid_api_key', message: /was revoked/ }

test('a request that comes after a revocation does not join a read that began before it', async () => {
  const keys = await startKeys()
  const token = keys.addKey()
  const release = keys.hold()
  const early = keys.resolve(token)
  await turn()
  keys.revoke(token)
  const late = keys.resolve(token)
  release()
  assert.equal((await early).key?.name, 'key 0')
  await assert.rejects(async () => late, revoked)
  await assert.rejects(async () => keys.resolve(token), revoked)
})

test('unknown keys, however many, push no good key out of memory', async () => {
  const keys = await startKeys()
  const token = keys.addKey()
  await keys.resolve(token)
  for (let number = 0; number < 100; number += 1)
    await assert.rejects(async () => keys.resolve(unknownKey(number)), { code: 'invalid_api_key' })
  keys.goOffline()
  const principal = keys.resolve(token)
  assert.ok(!(principal instanceof Promise), 'it is still in memory')
  assert.equal(principal.key?.name, 'key 0')
})

test('an unknown key is read once, and refused with 503 when the database is offline', async () => {
  const keys = await startKeys()
  await assert.rejects(async () => keys.resolve(unknownKey(1)), { status: 401 })
  assert.throws(() => keys.resolve(unknownKey(1)), { status: 401 })
  assert.equal(keys.reads(), 1)
  keys.changed()
  keys.goOffline()
  await assert.rejects(async () => keys.resolve(unknownKey(1)), { status: 503, code: 'unavailable' })
})

test('new unknown keys of one address are limited before the database is asked, and no known key suffers', async (context) => {
  stopClock(context, 0)
  const keys = await startKeys()
  const known = keys.addKey()
  await keys.resolve(known)
  for (let number = 0; number < 1_000; number += 1)
    await assert.rejects(async () => keys.resolve(unknownKey(number)), { status: 401 })
  const reads = keys.reads()
  const limited = { status: 429, code: 'rate_limit', message: /Too many unknown API keys/ }
  assert.throws(() => keys.resolve(unknownKey(1_000)), limited)
  assert.equal(keys.reads(), reads)
  assert.equal((await keys.resolve(known)).key?.name, 'key 0')
  keys.changed()
  assert.equal((await keys.resolve(known)).key?.name, 'key 0')
  // Another address is not concerned.
  await assert.rejects(async () => keys.resolve(unknownKey(1_001), '192.0.2.2'), { status: 401 })
})

test('keys that exist do not count as unknown', async () => {
  const keys = await startKeys()
  for (let number = 0; number < 1_100; number += 1) await keys.resolve(keys.addKey())
})

test('while the database is offline a known key stays good and is tried again once per second', async (context) => {
  const keys = await startKeys()
  const token = keys.addKey()
  await keys.resolve(token)
  keys.changed()
  keys.goOffline()
  const clock = stopClock(context, 0)
  assert.equal((await keys.resolve(token)).key?.name, 'key 0')
  assert.equal(keys.reads(), 2)
  clock.set(999)
  for (let times = 0; times < 10; times += 1) assert.equal((await keys.resolve(token)).key?.name, 'key 0')
  assert.equal(keys.reads(), 2, 'no read within the second')
  clock.set(1_000)
  assert.equal((await keys.resolve(token)).key?.name, 'key 0')
  await waitFor('the next read', () => keys.reads() === 3)
})
