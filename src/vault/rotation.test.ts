import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { Secret } from '#kernel/log'
import { killedRotation } from '#test/killed-rotation'
import { temporaryFolder } from '#test/product'
import { addKey, startVault, type VaultProcess } from '#test/vault'
import { nextMasterKey } from '#vault'
import { waitFor } from '#test/wait'
import { toMasterKey } from './master-key.ts'
import type { RotationStep } from './rotation.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const idOf = (text: string): string => toMasterKey(new Secret(text.trim())).id

async function chosen(at: VaultProcess, id: string): Promise<string> {
  return (await at.vault.choose(at.groupId, { id: 'openai', name: 'OpenAI' }, id)).key.reveal()
}

async function sealedBy(server: VaultProcess): Promise<string[]> {
  const rows = await server.query<{ id: string }>(
    `select distinct split_part(encrypted_key, '.', 2) as id from vault.provider_keys
     union select key_id from vault.master_key`,
  )
  return rows.map(({ id }) => id)
}

/** Until this many sessions of this database wait for a lock. */
async function waitForLocks(server: VaultProcess, count: number): Promise<void> {
  const query = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitFor('sessions that wait', async () => (await server.query(query)).length >= count)
}

async function connect(server: VaultProcess): Promise<pg.Client> {
  const { address, database } = server.target as { address: pg.ClientConfig; database: string }
  const client = new pg.Client({ ...address, database })
  client.on('error', () => undefined)
  await client.connect()
  after(() => client.end())
  return client
}

test('a rotation runs under readers and writers on another replica, and none of them notices', async () => {
  const server = await startVault()
  const file = join(server.config.DATA_DIR, 'master.key')
  const replica = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  const ids = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => (await addKey(server, `sk-rotated-${1000 + n}`)).id),
  )
  const former = readFileSync(file, 'utf8')
  let isOver = false
  let reads = 0
  const added: string[] = []
  const busy = [
    (async () => {
      for (; !isOver; reads++) {
        const n = reads % 30
        const { status, json } = await replica.call(`/providers/key/${ids[n]}/reveal`)
        assert.deepEqual([status, json.api_key], [200, `sk-rotated-${1000 + n}`])
        assert.equal(await chosen(replica, ids[n] ?? ''), `sk-rotated-${1000 + n}`)
      }
    })(),
    (async () => {
      while (!isOver) added.push((await addKey(replica, `sk-meanwhile-${2000 + added.length}`)).id)
    })(),
  ]
  for (let n = 0; n < 3 || (n < 50 && Math.min(reads, added.length) < 4); n++) {
    const { rewrapped } = await server.vault.rotateMaster(nextMasterKey(server.config))
    assert.ok(rewrapped >= 30)
  }
  const [readsThen, addedThen] = [reads, added.length]
  await waitFor('work after the last rotation', () => reads > readsThen + 1 && added.length > addedThen + 1)
  isOver = true
  await Promise.all(busy)
  assert.ok(reads > 3 && added.length > 3, `${reads} reads, ${added.length} writes`)
  assert.deepEqual(await sealedBy(server), [idOf(readFileSync(file, 'utf8'))], 'all by the key in the file')
  const late = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  for (const [n, id] of added.entries()) assert.equal(await chosen(late, id), `sk-meanwhile-${2000 + n}`)

  const names = readdirSync(server.config.DATA_DIR).filter((name) => name.startsWith('master.key'))
  assert.deepEqual(
    names.filter((name) => !name.includes('retired')),
    ['master.key'],
  )
  assert.equal(readFileSync(`${file}.retired-${idOf(former)}`, 'utf8'), former)
  for (const name of names) assert.equal(statSync(join(server.config.DATA_DIR, name)).mode & 0o077, 0, name)
  const event = server.events.findLast(({ event }) => event === 'vault.master_key_rotated')
  assert.equal(event?.event === 'vault.master_key_rotated' && event.masterKeyId, (await sealedBy(server))[0])
  for (const name of names)
    assert.ok(!server.logged().includes(readFileSync(join(server.config.DATA_DIR, name), 'utf8').trim()))
})

const steps: RotationStep[] = ['next key written', 'rewrapped', 'committed', 'former key kept', 'swapped']
for (const step of steps) {
  test(`killed after "${step}": running servers keep running, a start works, and the next rotation ends well`, async () => {
    const server = await startVault()
    const { id } = await addKey(server, 'sk-survivor-0001')
    const environment = { DATA_DIR: server.config.DATA_DIR }
    await killedRotation(step, server.config.DATA_DIR, server.target)
    const running = await server.call(`/providers/key/${id}/reveal`)
    assert.equal(running.json.api_key, 'sk-survivor-0001')
    const later = await addKey(server, 'sk-survivor-0002')

    const started = await startVault(environment, server.target)
    assert.equal(await chosen(started, id), 'sk-survivor-0001')
    assert.equal(await chosen(started, later.id), 'sk-survivor-0002')
    assert.deepEqual(await sealedBy(server), [
      idOf(readFileSync(join(server.config.DATA_DIR, 'master.key'), 'utf8')),
    ])

    await started.vault.rotateMaster(nextMasterKey(started.config))
    const again = await startVault(environment, server.target)
    assert.equal(await chosen(again, id), 'sk-survivor-0001')
    assert.deepEqual(await sealedBy(server), [
      idOf(readFileSync(join(server.config.DATA_DIR, 'master.key'), 'utf8')),
    ])
    assert.ok(!existsSync(join(server.config.DATA_DIR, 'master.key.next')))
  })
}

test('a start with another master key is refused in one line that names the file and the key', async () => {
  const server = await startVault()
  const right = idOf(readFileSync(join(server.config.DATA_DIR, 'master.key'), 'utf8'))
  const elsewhere = temporaryFolder()
  const wrong = newKey()
  writeFileSync(join(elsewhere, 'master.key'), `${wrong}\n`, { mode: 0o600 })
  await startVault({ DATA_DIR: elsewhere }, server.target).then((early) => early.stop())
  assert.deepEqual(await sealedBy(server), [idOf(wrong)], 'while nothing is sealed any key may begin')
  await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  const { id } = await addKey(server, 'sk-sealed-0001')
  const refused = startVault({ DATA_DIR: elsewhere }, server.target)
  await assert.rejects(refused, (error: Error) => {
    assert.equal(error.name, 'StartFault')
    assert.ok(error.message.startsWith(`${join(elsewhere, 'master.key')}: `))
    assert.ok(error.message.includes(right) && error.message.includes(idOf(wrong)))
    assert.match(error.message, /Put the original file back/)
    assert.ok(!error.message.includes('\n') && !error.message.includes(wrong))
    return true
  })
  await assert.rejects(
    startVault({ MASTER_KEY: wrong }, server.target),
    /^StartFault: MASTER_KEY: .*Set MASTER_KEY to/,
  )
  assert.equal(await chosen(server, id), 'sk-sealed-0001')
})

test('a MASTER_KEY from the environment is changed with the former one beside it, without a stop', async () => {
  const [former, next] = [newKey(), newKey()]
  const server = await startVault({ MASTER_KEY: former })
  const { id } = await addKey(server, 'sk-environment-0001')
  await assert.rejects(server.vault.rotateMaster(nextMasterKey(server.config)), /PREVIOUS_MASTER_KEY/)
  const both = await startVault({ MASTER_KEY: next, PREVIOUS_MASTER_KEY: former }, server.target)
  assert.match(both.logged(), /MASTER_KEY is not the current key yet/)
  const meanwhile = await addKey(both, 'sk-environment-0002')
  assert.equal(
    (await server.call(`/providers/key/${meanwhile.id}/reveal`)).status,
    200,
    'both understand each other',
  )
  assert.equal(await chosen(server, id), 'sk-environment-0001')
  assert.deepEqual(await both.vault.rotateMaster(nextMasterKey(both.config)), { rewrapped: 2 })
  assert.deepEqual(await sealedBy(server), [idOf(next)])
  const revealed = async () => (await server.call(`/providers/key/${id}/reveal`)).status
  await waitFor('the rotation to be noticed', async () => (await revealed()) === 503)
  assert.equal(await chosen(server, id), 'sk-environment-0001', 'a key that was opened before stays in use')
  const alone = await startVault({ MASTER_KEY: next }, server.target)
  assert.equal(await chosen(alone, meanwhile.id), 'sk-environment-0002')
  assert.ok(!existsSync(join(alone.config.DATA_DIR, 'master.key')), 'nothing is written to disk')
})

test('a key added in the middle of a rotation waits for its end and is sealed by the new master key', async () => {
  const server = await startVault()
  const next = newKey()
  writeFileSync(join(server.config.DATA_DIR, 'master.key.next'), `${next}\n`, { mode: 0o600 })
  const rotation = await connect(server)
  await rotation.query('begin')
  await rotation.query('update vault.master_key set key_id = $1', [idOf(next)])
  const adding = addKey(server, 'sk-in-between-0001')
  let isAdded = false
  void adding.then(() => (isAdded = true))
  await waitForLocks(server, 1)
  assert.equal(isAdded, false)
  await rotation.query('commit')
  const { id } = await adding
  assert.deepEqual(await sealedBy(server), [idOf(next)])
  assert.equal(await chosen(server, id), 'sk-in-between-0001')
})

test('a rotation waits for a key that is sealed but not yet stored', async () => {
  const server = await startVault()
  await addKey(server, 'sk-before-0001')
  // Storing a key looks at its account, so this stops a key that was sealed already.
  const obstacle = await connect(server)
  await obstacle.query('begin')
  await obstacle.query('select id from vault.provider_accounts for update')
  const adding = addKey(server, 'sk-in-flight-0001')
  await waitForLocks(server, 1)
  let isRotated = false
  const rotating = server.vault.rotateMaster(nextMasterKey(server.config))
  void rotating.then(() => (isRotated = true))
  await waitForLocks(server, 2)
  assert.equal(isRotated, false)
  await obstacle.query('commit')
  assert.equal(await chosen(server, (await adding).id), 'sk-in-flight-0001')
  assert.deepEqual(await rotating, { rewrapped: 2 })
  assert.equal((await sealedBy(server)).length, 1)
})

test('a damaged row is left as it is and does not keep the others from their new key', async () => {
  const server = await startVault()
  const good = await addKey(server, 'sk-good-0001')
  const bad = await addKey(server, 'sk-bad-00001')
  await server.query(`update vault.provider_keys set encrypted_key = 'v1.nonsense' where id = $1`, [bad.id])
  assert.deepEqual(await server.vault.rotateMaster(nextMasterKey(server.config)), { rewrapped: 1 })
  assert.match(server.logged(), new RegExp(`"providerKeyId":"${bad.id}".*is left unchanged`))
  const again = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  assert.equal(await chosen(again, good.id), 'sk-good-0001')
})

test('two rotations at once come one after the other', async () => {
  const server = await startVault()
  const { id } = await addKey(server, 'sk-twice-0001')
  const other = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  await Promise.all([server, other, server].map((at) => at.vault.rotateMaster(new Secret(newKey()))))
  const again = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  assert.equal(await chosen(again, id), 'sk-twice-0001')
  assert.deepEqual(await sealedBy(server), [
    idOf(readFileSync(join(server.config.DATA_DIR, 'master.key'), 'utf8')),
  ])
})
