import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { administer, testServer } from '#test/database'
import { startRunner } from '../run/testing-runner.ts'
import { rolePrefixOf, rolesOf } from './roles.ts'
import { scramVerifier } from './scram.ts'

const name = `shop_${randomUUID().replaceAll('-', '')}`
await administer(`create database ${name}`)
after(() => administer(`drop database if exists ${name} with (force)`))
const { host, port, user, password } = testServer()
const url = `postgresql://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
const shop = { database: 'shop' }
const it = await startRunner({ DATABASES: JSON.stringify({ shop: url, away: url.replace(name, 'nowhere') }) })
const prefix = (await it.listed()).find((place) => place.name === 'shop')?.rolePrefix ?? ''

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
    message: /logs in as a superuser. Run: npx signalbox sql setup shop/,
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

test('the roles are weak: no superuser, no other membership, nothing of another database', async () => {
  const roles = (await asSuperuser(
    `select rolname, rolcanlogin, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as strong,
      array(select roleid::regrole::text from pg_auth_members where member = r.oid) as member_of
     from pg_roles r where rolname like '${prefix}%' order by 1`,
  )) as Record<string, unknown>[]
  assert.deepEqual(roles, [
    { rolname: `${prefix}_agent`, rolcanlogin: true, strong: false, member_of: [`${prefix}_owner`] },
    { rolname: `${prefix}_owner`, rolcanlogin: false, strong: false, member_of: [] },
    { rolname: `${prefix}_reader`, rolcanlogin: true, strong: false, member_of: [] },
  ])
  await assert.rejects(it.run('create schema other', shop), { sqlstate: '42501' })
  await assert.rejects(it.run('copy orders to program $$cat$$', shop), { sqlstate: '42501' })
  await assert.rejects(it.run('set role signalbox', shop), { sqlstate: '42501' })
})

test('a database that cannot be reached says so for everything that it could do', async () => {
  const [place] = (await it.listed()).filter(({ name: offered }) => offered === 'away')
  const { read, undo } = await it.runner.availability(place ?? assert.fail('not offered'))
  assert.deepEqual(read, undo)
  assert.equal(read.ok, false)
  assert.match(
    read.reason ?? '',
    /^The database away refuses the login of its address: database "nowhere" does not exist/,
  )
})

test('long names give two different roles within the limit of PostgreSQL', () => {
  const one = rolesOf({ rolePrefix: rolePrefixOf('status', `${'x'.repeat(62)}a`) })
  const other = rolesOf({ rolePrefix: rolePrefixOf('status', `${'x'.repeat(62)}b`) })
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
