import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate, migrationNames, migrationState, type Target } from '#kernel/db'
import { build } from '#kernel/version'
import { startCommands } from '#test/commands'
import { administer, createTestDatabase, testServer } from '#test/database'
import { runCommand } from '#test/process'
import { temporaryFolder } from '#test/product'

const run = startCommands()
const dataDir = temporaryFolder()
const { user, password, host, port } = testServer()

/** As an operator gives it: the server of the tests listens on a socket. */
const urlOf = (database: string): string =>
  `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`

async function check(database: string, args: string[] = []) {
  const given = { DATA_DIR: dataDir, DATABASE_URL: urlOf(database) }
  const { code, stdout, stderr } = await run(['upgrade', '--check', '--json', ...args], given)
  assert.equal(stderr, '')
  // oxlint-disable-next-line typescript/no-explicit-any
  return { code, facts: JSON.parse(stdout) as any }
}

/** A database as an earlier version left it. */
async function databaseUpTo(last: string): Promise<Extract<Target, { kind: 'embedded' }>> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${database} template template0`)
  after(() => administer(`drop database if exists ${database} with (force)`))
  const target = { kind: 'embedded' as const, address: testServer(), database }
  await migrate(target, last)
  return target
}

const before = await databaseUpTo('0055_vault_server_secrets')
const current = await createTestDatabase()
const beat = (database: string, version: string) =>
  administer(
    `insert into kernel.replicas (id, host, process, version, master_key_id, session_fingerprint)
     values (gen_random_uuid(), 'elsewhere', 1, '${version}', 'k', 's')`,
    database,
  )

test('a database of this version is up to date', async () => {
  const { code, stdout } = await runCommand(['upgrade', '--check'], {
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(current.database),
  })
  assert.equal(code, 0)
  assert.match(stdout, /^Up to date\.$/m)
  assert.match(stdout, new RegExp(`migrations up to ${migrationNames().at(-1)}$`, 'm'))
})

test('what an upgrade would run is listed with the tables that it touches, and nothing is changed', async () => {
  const { code, facts } = await check(before.database)
  assert.deepEqual([code, facts.ok], [0, true])
  assert.deepEqual(
    facts.database.pending.map(({ name }: { name: string }) => name),
    migrationNames().filter((name) => name > '0055_vault_server_secrets'),
  )
  const [replicas] = facts.database.pending
  assert.deepEqual(replicas, { name: '0056_kernel_replicas', contracts: false, runs_code: false, tables: [] })
  const touched = facts.database.pending.flatMap(({ tables }: { tables: { table: string }[] }) =>
    tables.map(({ table }) => table),
  )
  assert.ok(touched.includes('usage.usage_logs') && touched.includes('access.api_keys'), touched.join(' '))
  assert.equal((await migrationState(before)).applied.at(-1), '0055_vault_server_secrets')
  assert.ok(facts.warnings.some((text: string) => text.startsWith('No backup is known.')))
})

test('a table that would be worked through is warned of with the number of its rows', async () => {
  const changed = (await check(before.database)).facts.database.pending.find(
    ({ tables }: { tables: { work: string }[] }) => tables.some(({ work }) => work !== 'none'),
  )
  const { table } = changed.tables.find(({ work }: { work: string }) => work !== 'none')
  await administer(
    `update pg_class set reltuples = 2500000 where oid = '${table}'::regclass`,
    before.database,
  )
  const { code, facts } = await check(before.database)
  assert.equal(code, 0)
  const warning = facts.warnings.find((text: string) => text.includes(table))
  assert.match(warning, new RegExp(`^${changed.name} .*about 2,500,000 rows`))
})

test('a database of a newer version, and one that lacks what this code needs, are problems', async () => {
  const newer = await createTestDatabase()
  const add = (name: string, contracts: boolean) =>
    administer(
      `insert into kernel.migration (name, timestamp, contracts) values ('${name}', now()::text, ${contracts})`,
      newer.database,
    )
  await add('9998_future', false)
  const served = await check(newer.database)
  assert.equal(served.code, 1)
  assert.match(served.facts.problems[0], /written by a newer Signalbox \(9998_future\)/)
  await add('9999_future', true)
  const refused = await check(newer.database)
  assert.match(refused.facts.problems[0], /took away what this code needs \(9999_future\)/)
})

test('servers of another build are listed, and named while only some of them are upgraded', async () => {
  await beat(current.database, '0.0.9+000000000000')
  const all = await check(current.database)
  assert.equal(all.facts.database.replicas[0].version, '0.0.9+000000000000')
  assert.deepEqual(all.facts.warnings, [])
  await beat(current.database, build)
  const { code, facts } = await check(current.database)
  assert.deepEqual([code, facts.warnings], [0, ['1 of 2 servers run another build. Restart them to finish.']])
})

test('a user who may not change the tables is a problem', async () => {
  const role = `reader_${randomUUID().slice(0, 8)}`
  await administer(`create role ${role} login password 'pw-reader'`)
  after(() => administer(`drop owned by ${role}; drop role ${role}`).catch(() => undefined))
  await administer(`grant usage on schema kernel to ${role}`, before.database)
  await administer(`grant select on all tables in schema kernel to ${role}`, before.database)
  const url = urlOf(before.database).replace(`${user}:${password}`, `${role}:pw-reader`)
  const { code, stdout } = await run(['upgrade', '--check'], { DATA_DIR: dataDir, DATABASE_URL: url })
  assert.equal(code, 1)
  assert.match(stdout, /FAIL {2}The user of DATABASE_URL may not create schemas/)
  assert.match(stdout, /FAIL {2}\d+ tables belong to another role/)
  await administer(`drop owned by ${role}`, before.database)
})

test('where there is no database yet, none is made to look at', async () => {
  const fresh = join(temporaryFolder(), 'data')
  const { code, stdout } = await run(['upgrade', '--check'], { DATA_DIR: fresh })
  assert.deepEqual([code, existsSync(fresh)], [0, false])
  assert.match(stdout, /Ready for the first start\./)
  assert.deepEqual(readdirSync(dataDir), [])
})

test('without --check nothing happens, and a database that cannot be reached is a failure', async () => {
  assert.equal((await run(['upgrade'], { DATA_DIR: dataDir })).code, 2)
  const gone = await run(['upgrade', '--check'], {
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf('no_such_database'),
  })
  assert.deepEqual([gone.code, /cannot connect to the database/.test(gone.stderr)], [1, true])
})
