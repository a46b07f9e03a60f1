import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ApiDocument } from '#kernel/http'
import { startFakeProvider } from '../../fake-provider/index.ts'
import { runCommand, spawnProduct } from '../../harness/process.ts'
import { temporaryFolder } from '../../harness/product.ts'
import { control, plant } from './doors.ts'
import { masterKey, vendorKeys } from './planted.ts'
import { backupIn, filesIn, findSecrets, tablesOf, type Place } from './search.ts'

const fake = await startFakeProvider()
after(() => fake.close())
const dataDir = temporaryFolder()
const environment = {
  ...fake.baseUrls,
  DATA_DIR: dataDir,
  MASTER_KEY: masterKey,
  OPENROUTER_API_KEY: vendorKeys.openrouter,
  LOG_LEVEL: 'trace',
  UPSTREAM_PRIVATE: '1',
}
// A process of its own, with a database of its own: its write-ahead log is searched too.
const server = await spawnProduct(environment)
const planted = await plant(server, fake)
const secrets: Record<string, string> = { ...planted.secrets, 'master key': masterKey }
// Reading the log waits for every request that has ended.
await server.call('/api/v1/logs?limit=1')

/** What the server printed for the person at the terminal is no log. */
const logged = (): Place => ({
  name: 'log',
  content: Buffer.from(
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n'),
  ),
})

async function everyList(): Promise<Place[]> {
  const document = (await server.call('/openapi.json')).json as ApiDocument
  const paths = Object.entries(document.paths).filter(
    ([path, methods]) => methods['get'] && !path.includes('{'),
  )
  assert.ok(paths.length > 20, `${paths.length} lists`)
  return Promise.all(
    paths.map(async ([path]) => {
      const signal = path.includes('stream') ? '?limit=1' : ''
      const { text } = await server.call(`${path}${signal}`)
      return { name: `GET ${path}`, content: Buffer.from(text) }
    }),
  )
}

async function exports(): Promise<Place[]> {
  const formats = ['csv', 'json']
  return Promise.all(
    formats.map(async (format) => {
      const { text } = await server.call(`/api/v1/logs/export?format=${format}`)
      return { name: `export as ${format}`, content: Buffer.from(text) }
    }),
  )
}

async function backup(): Promise<Place> {
  const file = join(temporaryFolder(), 'backup.gz')
  const { code, stderr } = await runCommand(['backup', file], environment)
  assert.equal(code, 0, stderr)
  return backupIn(file)
}

test('no response contains a secret, but the one that creates it', () => {
  assert.deepEqual([...planted.sentUpstream].toSorted(), Object.keys(vendorKeys).toSorted())
  assert.ok(planted.responses.length > 200, `${planted.responses.length} responses`)
  assert.deepEqual(findSecrets(secrets, planted.responses), [])
})

test('no table, export, list, backup or log line contains a secret', async () => {
  const tables = await tablesOf(dataDir)
  const exported = await exports()
  const lists = await everyList()
  const saved = await backup()
  const places = [...tables, ...exported, ...lists, saved, logged()]
  // The search finds what is there.
  const found = findSecrets({ control }, places)
  for (const place of ['table access.api_keys', 'export as csv', 'GET /api/v1/keys', 'backup', 'log'])
    assert.ok(found.includes(`control in ${place}`), `${place}: ${found.join()}`)
  assert.deepEqual(findSecrets(secrets, places), [])
})

test('no file of the data directory contains a secret, but the file of the owner token', async () => {
  const running = filesIn(dataDir)
  await server.end()
  const stopped = filesIn(dataDir)
  for (const files of [running, stopped]) {
    const found = findSecrets({ control }, files)
    assert.ok(
      found.some((place) => place.includes('pg_wal')),
      'the write-ahead log is searched',
    )
    assert.deepEqual(findSecrets(secrets, files), ['owner token in file owner.token'])
  }
  assert.deepEqual(findSecrets(secrets, [logged()]), [])
})
