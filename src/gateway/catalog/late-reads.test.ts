import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely, KyselyPlugin } from 'kysely'
import { loadConfig } from '#kernel/config'
import { openDatabase, type Database } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startGateway } from '#test/gateway'
import { temporaryFolder } from '#test/product'
import { createCatalog } from './create-catalog.ts'

const server = await startGateway()
const { groupId } = server.first
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(server.target, log)
after(() => database.close())

/** Rows that the database has sent, and that arrive when they are released. */
class LateResults implements KyselyPlugin {
  readonly #held = Promise.withResolvers<void>()
  #gate: Promise<void> | undefined

  /** Resolves when rows are held back. */
  readonly held = this.#held.promise

  /** Of the two queries of the next read. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    return resolve
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node

  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    const gate = this.#gate
    this.#held.resolve()
    // The other query of this read waits for nothing: the read needs both.
    this.#gate = undefined
    await gate
    return result
  }
}

const tablesWith = (plugin: KyselyPlugin): Kysely<object> => database.tables<object>().withPlugin(plugin)

test('a read of the providers that ends late does not replace what a later one has read', async () => {
  const late = new LateResults()
  const slow = { ...database, tables: () => tablesWith(late) } as Database
  const catalog = createCatalog({ database: slow, config: loadConfig({ DATA_DIR: temporaryFolder() }) })
  const seen = () => catalog.providers.list(groupId).flatMap(({ id }) => (id === 'late' ? [id] : []))

  const release = late.hold()
  const before = catalog.reload()
  await late.held
  const json = { id: 'late', name: 'Late', prefixes: ['late/'], base_url: 'https://models.example.com/v1' }
  const added = await server.call('/providers', { json, headers: { accept: 'application/json' } })
  assert.equal(added.status, 201, added.text)
  await catalog.reload()
  assert.deepEqual(seen(), ['late'])
  release()
  await before
  assert.deepEqual(seen(), ['late'])
  await catalog.reload()
  assert.deepEqual(seen(), ['late'])
})
