import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { deleteOldRunKeys } from './api-key-store.ts'
import { createRunKeys } from './run-keys.ts'
import type { AccessTables } from './tables.ts'

test('keys of runs that ended long ago are deleted; others, and those of people, are kept', async () => {
  const product = await startProduct()
  const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
  after(() => database.close())
  const db = database.tables<AccessTables>()
  const runKeys = createRunKeys(db)
  const create = async (expiresInDays: number) => {
    const { id, secret } = await runKeys.create({
      groupId: product.first.groupId,
      run: { id: crypto.randomUUID(), agentId: 'plain', mode: 'default', agentVersion: 1, request: 'Do it.' },
      userId: null,
      parentId: null,
      scopes: ['read'],
      expiresAt: new Date(Date.now() + expiresInDays * 86_400_000),
    })
    return { id, key: secret.reveal() }
  }
  const [old, expired, recent, open] = [await create(1), await create(-91), await create(1), await create(1)]
  const person = (await product.call('/api/v1/keys', { json: { name: 'mine', scopes: ['read'] } })).json
  for (const { id } of [old, recent]) await runKeys.end(id)
  await product.call(`/api/v1/keys/${person.id}`, { method: 'DELETE' })
  const longAgo = new Date(Date.now() - 91 * 86_400_000)
  await db
    .updateTable('access.api_keys')
    .set({ revoked_at: longAgo })
    .where('id', 'in', [old.id, person.id as string])
    .execute()
  await deleteOldRunKeys(db, 90)
  const kept = await db.selectFrom('access.api_keys').select('id').execute()
  const has = (id: string): boolean => kept.some((row) => row.id === id)
  assert.deepEqual(
    [old, expired, recent, open, person].map(({ id }) => has(id)),
    [false, false, true, true, true],
  )
  assert.equal((await product.call('/api/v1/me', { key: open.key })).status, 200)
  for (const { key } of [old, recent]) assert.equal((await product.call('/api/v1/me', { key })).status, 401)
})
