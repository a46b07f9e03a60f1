import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startFakeProvider } from '#fake-provider'
import { createTestDatabase } from '#test/database'
import { spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'

const headers = { accept: 'application/json' }

test('a changed default key is used by every worker before the response to the change', async () => {
  const fake = await startFakeProvider()
  after(() => fake.close())
  const { address, database: name } = await createTestDatabase()
  const { host, port, user, password } = address
  const DATABASE_URL = `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
  const server = await spawnProduct({
    ...fake.baseUrls,
    DATABASE_URL,
    DATA_DIR: temporaryFolder(),
    WORKERS: '2',
    ROLES: 'gateway',
  })
  const database = new pg.Client({ ...address, database: name })
  await database.connect()
  const add = async (api_key: string) =>
    (await server.call('/providers/openai', { json: { api_key }, headers })).json.id as string
  const [first, second] = [await add('sk-first-key-0001'), await add('sk-second-key-0002')]
  assert.ok(first !== second)

  /** The keys of twelve requests, each over a connection of its own: workers take turns. */
  const keysUsed = async (): Promise<Set<string | undefined>> => {
    const before = fake.requests.length
    const messages = [{ role: 'user', content: 'Hello' }]
    const ask = () =>
      server.call('/v1/chat/completions', {
        key: server.key ?? '',
        json: { model: 'gpt-4.1', messages },
        headers: { connection: 'close' },
      })
    const all = await Promise.all(Array.from({ length: 12 }, ask))
    for (const { status, text } of all) assert.equal(status, 200, text)
    return new Set(fake.requests.slice(before).map((request) => request.headers.authorization))
  }
  assert.deepEqual(await keysUsed(), new Set(['Bearer sk-first-key-0001']))

  // As long as these are stopped, no worker is notified.
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database()
     and (query ilike 'listen %' or query like 'select extract(epoch from clock_timestamp())%')`,
  )
  assert.ok(rows.length >= 2)
  const signal = (name: NodeJS.Signals) => rows.forEach(({ pid }) => process.kill(pid, name))
  signal('SIGSTOP')
  const used = server
    .call(`/providers/key/${second}/set-default`, { method: 'POST', headers })
    .then(({ status }) => assert.equal(status, 200))
    .then(keysUsed)
  try {
    await waitFor('the change', async () => {
      const found = await database.query('select 1 from vault.provider_keys where id = $1 and is_default', [
        second,
      ])
      return found.rowCount === 1
    })
    // Long enough for requests that follow a response which came too early, and shorter than a change waits for a worker
    // that hangs.
    const livez = () => server.call('/livez', { headers: { connection: 'close' } })
    for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 4 }, livez))
  } finally {
    signal('SIGCONT')
  }
  const keys = await used
  await database.end()
  assert.deepEqual(keys, new Set(['Bearer sk-second-key-0002']))
})
