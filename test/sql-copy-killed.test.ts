import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectTo } from './harness/embedded-client.ts'
import { spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const environment = { DATA_DIR: temporaryFolder() }

test('a server that is killed during a trial on a copy leaves no copy after the next start', async () => {
  const first = await spawnProduct(environment)
  let looking = await connectTo(environment, 'postgres')
  const left = async (): Promise<number> =>
    (
      await looking.query(
        `select datname from pg_database where datname like 'signalbox\\_copy\\_%'
         union all select rolname from pg_roles where rolname like 'signalbox\\_copy\\_%'`,
      )
    ).rowCount ?? 0
  const statements = ['create table long (id int)', 'insert into long select generate_series(1, 100000000)']
  const trial = first
    .call('/api/v1/sql/migrate', {
      json: {
        database: 'application',
        name: 'long',
        statements,
        reason: 'a test',
        dry_run: true,
        trial: 'copy',
      },
    })
    .catch(() => undefined)
  await waitFor('the statement on the copy', async () => {
    const { rowCount } = await looking.query(
      `select from pg_stat_activity where datname like 'signalbox\\_copy\\_%' and query like 'insert into long%'`,
    )
    return rowCount === 1
  })
  await first.end('SIGKILL')
  await trial
  assert.equal(await left(), 2)
  await looking.end()
  const second = await spawnProduct(environment)
  looking = await connectTo(environment, 'postgres')
  await waitFor('the copy to be dropped', async () => (await left()) === 0)
  const { json } = await second.call('/api/v1/sql/migrations')
  assert.deepEqual(json.data, [], 'a dry run is no migration')
  await looking.end()
})
