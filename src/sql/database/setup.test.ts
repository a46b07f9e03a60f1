import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { administer, testServer } from '#test/database'
import { startRunner } from '../run/testing-runner.ts'
import { rolesOf } from './roles.ts'
import { scramVerifier } from './scram.ts'

const name = `shop_${randomUUID().replaceAll('-', '')}`
await administer(`create database ${name}`)
after(() => administer(`drop database if exists ${name} with (force)`))
const { host, port, user, password } = testServer()
const url = `postgresql://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
const shop = { database: 'shop' }
const it = await startRunner({ DATABASES: JSON.stringify({ shop: url, away: url.replace(name, 'nowhere') }) })

async function asSuperuser(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ ...testServer(), database: name })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a database whose address is a superuser is refused until it is set up', async () => {
  await asSuperuser('create table orders as select g as id from generate_series(1, 3) g')
  await assert.rejects(it.run('select 1 as one', { ...shop, access: 'read' }), {
    status: 503,
    message: /logs in as a superuser. Run: signalbox sql setup shop/,
  })
  await it.setUp('shop')
  await it.setUp('shop')
  const { rows } = await it.run('select count(*) as n, current_user as who from orders', {
    ...shop,
    access: 'read',
  })
  assert.equal(rows[0]?.['n'], 3)
  assert.match(String(rows[0]?.['who']), /_shop_reader$/)
  assert.equal((await it.run('delete from orders where id = 1', shop)).rowsAffected, 1)
})

test('the roles are weak: no superuser, no membership, nothing of another database', async () => {
  const roles = await asSuperuser(
    `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin,
      (select count(*)::int from pg_auth_members where member = r.oid) as member_of
     from pg_roles r where rolname like '%_shop_%' order by 1`,
  )
  assert.ok(roles.length >= 2)
  for (const role of roles as Record<string, unknown>[]) {
    const { rolname: _rolname, ...rights } = role
    assert.deepEqual(rights, {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      rolcanlogin: true,
      member_of: 0,
    })
  }
  await assert.rejects(it.run('drop table orders', shop), { sqlstate: '42501' })
  await assert.rejects(it.run('copy orders to program $$cat$$', shop), { sqlstate: '42501' })
  await assert.rejects(it.run('set role signalbox', shop), { sqlstate: '42501' })
})

test('a database that is away is said to be, by name', async () => {
  const states = await it.runner.databases()
  assert.deepEqual(
    states.map(({ name: offered, isAvailable }) => [offered, isAvailable]),
    [
      ['status', true],
      ['calendar', true],
      ['application', true],
      ['shop', true],
      ['away', false],
    ],
  )
  assert.doesNotMatch(JSON.stringify(states), new RegExp(password))
})

test('long names give two different roles within the limit of PostgreSQL', () => {
  const one = rolesOf('status', `${'x'.repeat(62)}a`)
  const other = rolesOf('status', `${'x'.repeat(62)}b`)
  assert.ok(one.reader.length <= 63)
  assert.notEqual(one.agent, other.agent)
})

test('the verifier of a password is the one that PostgreSQL makes', async () => {
  const role = `scram_${randomUUID().replaceAll('-', '')}`
  await administer(`create role ${role} login password '${scramVerifier('pencil')}'`)
  const client = new pg.Client({ ...testServer(), database: name, user: role, password: 'pencil' })
  await client.connect()
  await client.end()
  await administer(`drop role ${role}`)
})
