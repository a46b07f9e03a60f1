import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#kernel/log'
import { startVault } from '#test/vault'
import { nextMasterKey } from '#vault'

const server = await startVault()
const { secrets } = server.vault

test('a secret of another part is stored encrypted and bound to its group and row', async () => {
  const id = await secrets.put(server.groupId, new Secret('a-secret-to-keep'))
  const other = await secrets.put(server.groupId, new Secret('another-secret'))
  assert.equal((await secrets.open(server.groupId, id)).reveal(), 'a-secret-to-keep')
  const rows = await server.query<{ text: string }>('select encrypted_value as text from vault.secrets')
  assert.equal(rows.length, 2)
  for (const { text } of rows) assert.match(text, /^v1\.[0-9a-f]{16}\.[\w-]+\.[\w-]+$/)
  await server.query(
    'update vault.secrets set encrypted_value = (select encrypted_value from vault.secrets where id = $1) where id = $2',
    [id, other],
  )
  await assert.rejects(secrets.open(server.groupId, other), { name: 'SealBroken' })
  await assert.rejects(secrets.open('0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f', id), { code: 'not_found' })
  await secrets.remove(server.groupId, other)
})

test('a rotation of the master key also wraps the secrets of other parts', async () => {
  const id = await secrets.put(server.groupId, new Secret('rotated-secret'))
  const [before] = await server.query<{ key_id: string }>('select key_id from vault.master_key')
  await server.vault.rotateMaster(nextMasterKey(server.config))
  const sealedBy = await server.query<{ id: string }>(
    `select distinct split_part(encrypted_value, '.', 2) as id from vault.secrets`,
  )
  const [now] = await server.query<{ key_id: string }>('select key_id from vault.master_key')
  assert.notEqual(now?.key_id, before?.key_id)
  assert.deepEqual(
    sealedBy.map((row) => row.id),
    [now?.key_id],
  )
  const replica = await startVault({ DATA_DIR: server.config.DATA_DIR }, server.target)
  assert.equal((await replica.vault.secrets.open(server.groupId, id)).reveal(), 'rotated-secret')
})
