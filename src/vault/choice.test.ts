import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Fault } from '#kernel/errors'
import { administer } from '#test/database'
import { processorMs } from '#test/time'
import { addKey, startVault, type VaultProcess } from '#test/vault'
import { waitFor } from '#test/wait'

const server = await startVault()
const replica = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)

const change = (id: string, action: string) =>
  server
    .call(`/providers/key/${id}/${action}`, { method: 'POST' })
    .then(({ status }) => assert.ok(status < 300))

/** The value chosen, or the message of the refusal. */
async function chosen(at: VaultProcess, provider: string, override?: string, groupId = server.groupId) {
  try {
    return (
      await at.vault.choose(groupId, { id: provider, name: provider.toUpperCase() }, override)
    ).key.reveal()
  } catch (error) {
    const { code, status, param, message } = error as Fault
    return `${status} ${code} ${param}: ${message}`
  }
}

/** On every replica, within the promised second. */
async function settles(provider: string, expected: string | RegExp, override?: string): Promise<void> {
  const isAs = (got: string): boolean =>
    typeof expected === 'string' ? got === expected : expected.test(got)
  for (const at of [server, replica])
    await waitFor(`${expected}`, async () => isAs(await chosen(at, provider, override)), 1_000)
}

test('without a key the refusal names the provider and where to add one', async () => {
  await settles('gemini', /^400 no_provider_key null: No provider key found for GEMINI\. .*\/providers/)
  assert.ok(!(await server.vault.usableProviders(server.groupId)).has('gemini'))
})

test('the override goes before the default, the default before the first active key by age', async () => {
  const first = await addKey(server, 'key-first-0001')
  const second = await addKey(server, 'key-second-0002')
  const third = await addKey(server, 'key-third-0003')
  await settles('openai', 'key-first-0001')
  await change(second.id, 'set-default')
  await settles('openai', 'key-second-0002')
  await settles('openai', 'key-third-0003', third.id)
  await change(first.id, 'deactivate')
  await settles('openai', 'key-second-0002')
  await change(second.id, 'delete')
  await settles('openai', 'key-third-0003')
  const [row] = await server.query<{ n: number }>(
    'select count(*)::int n from vault.provider_keys where is_default',
  )
  assert.equal(row?.n, 0, 'deleting the default leaves none')
})

test('a deactivated default stays the default but is passed over, and counts again once active', async () => {
  const one = await addKey(server, 'key-other-0001', 'anthropic')
  const two = await addKey(server, 'key-other-0002', 'anthropic')
  await change(two.id, 'set-default')
  await change(two.id, 'deactivate')
  await settles('anthropic', 'key-other-0001')
  await change(one.id, 'deactivate')
  await settles('anthropic', /All its keys are deactivated/)
  assert.ok(!(await replica.vault.usableProviders(server.groupId)).has('anthropic'))
  await change(one.id, 'activate')
  await change(two.id, 'activate')
  await settles('anthropic', 'key-other-0002')
  assert.ok((await replica.vault.usableProviders(server.groupId)).has('anthropic'))
})

test('an override that is inactive, foreign, of another provider or unknown is refused and says so', async () => {
  const key = await addKey(server, 'key-override-01', 'openrouter')
  await addKey(server, 'key-override-02', 'openrouter')
  await settles('openrouter', 'key-override-01', key.id)
  await settles('openrouter', 'key-override-01', key.id.toUpperCase())
  await change(key.id, 'deactivate')
  await settles('openrouter', /^400 no_provider_key null: .*OPENROUTER.*deactivated/, key.id)
  await settles('openai', /^400 no_provider_key null: .*not a key of this provider in your group/, key.id)
  await settles('openrouter', /not a key of this provider in your group/, randomUUID())
  const made = await server.call('/api/v1/groups', { json: { name: 'Elsewhere' } })
  assert.match(await chosen(server, 'openrouter', key.id, made.json.id as string), /^400 no_provider_key/)
})

test('a known choice is made in memory, at once', async () => {
  await chosen(server, 'openai')
  const choice = server.vault.choose(server.groupId, { id: 'openai', name: 'OpenAI' }, undefined)
  assert.ok(!(choice instanceof Promise))
  const took = await processorMs(() => {
    for (let n = 0; n < 100_000; n++)
      void server.vault.choose(server.groupId, { id: 'openai', name: 'OpenAI' }, undefined)
  })
  assert.ok(took < 1_000, `${took} ms`)
})

test('what a process changed itself counts for its very next request', async () => {
  for (let n = 0; n < 10; n++) {
    const key = await addKey(server, `key-at-once-000${n}`, 'anthropic')
    assert.equal(await chosen(server, 'anthropic', key.id), `key-at-once-000${n}`)
    await change(key.id, 'deactivate')
    assert.match(await chosen(server, 'anthropic', key.id), /deactivated/)
  }
})

test('of many who set a default at once one wins, and there is never a second default', async () => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => (await addKey(server, `key-race-000${n}`, 'gemini')).id),
  )
  const responses = await Promise.all(
    Array.from({ length: 48 }, (_, n) =>
      (n % 2 ? server : replica).call(`/providers/key/${ids[n % 6]}/set-default`, { method: 'POST' }),
    ),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  const rows = await server.query(
    'select id from vault.provider_keys where provider_id = $1 and is_default',
    ['gemini'],
  )
  assert.equal(rows.length, 1)
})

test('how a key fared is kept, without the key, and a success takes the error back', async () => {
  const { id } = await addKey(server, 'weird+key/value=0009', 'gemini')
  await chosen(server, 'gemini', id)
  server.vault.noteOutcome(id, 'Incorrect API key provided: weird+key/value=0009')
  await server.vault.stop()
  const read = () =>
    server
      .query<Record<string, unknown>>('select * from vault.provider_keys where id = $1', [id])
      .then(([row]) => row)
  const failed = await read()
  assert.equal(failed?.['last_error'], 'Incorrect API key provided: [key]')
  assert.ok(failed['last_error_at'] instanceof Date && failed['last_used_at'] instanceof Date)
  const failedAt = failed['last_error_at'].getTime()
  await waitFor('a later time', () => Date.now() > failedAt)
  server.vault.noteOutcome(id, null)
  await server.vault.stop()
  const good = await read()
  assert.deepEqual([good?.['last_error'], good?.['last_error_at']], [null, null])
})

test('while the database is unavailable known groups keep their keys, an unknown one gets 503, and all recovers', async () => {
  const key = await addKey(server, 'key-outage-0001', 'openrouter')
  await settles('openrouter', 'key-outage-0001', key.id)
  const { database } = server.target as { database: string }
  await administer(`alter database ${database} allow_connections false`)
  await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
  const stranger = (): Promise<string> => chosen(server, 'openrouter', undefined, randomUUID())
  await waitFor('the outage to be noticed', async () => (await stranger()).startsWith('503 unavailable'))
  assert.equal(await chosen(server, 'openrouter', key.id), 'key-outage-0001')
  assert.ok((await server.vault.usableProviders(server.groupId)).has('openrouter'))
  await administer(`alter database ${database} allow_connections true`)
  await waitFor('the database', async () => (await stranger()).startsWith('400 no_provider_key'))
  await change(key.id, 'deactivate')
  for (const at of [server, replica])
    await waitFor('the change', async () => /deactivated/.test(await chosen(at, 'openrouter', key.id)))
})
