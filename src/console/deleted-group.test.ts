import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { deleteOfDeletedGroups } from './store/deleted-groups.ts'
import { list, sample, titles } from './testing.ts'

const server = await startProduct()
const { call } = server
const database = openDatabase(server.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())

test('what a group has in the console is deleted with it, and pages can no longer send errors to it', async () => {
  const { json: group } = await call('/api/v1/groups', { json: { name: 'Short-lived' } })
  const inGroup = { group_id: group.id as string }
  await call('/api/console/events', { json: { ...sample('Of the group'), ...inGroup } })
  await call('/api/console/events', { json: sample('Of another group') })
  await call('/api/console/views', { json: { name: 'Errors', query: 'severity=error', ...inGroup } })
  const { json: reporter } = await call('/api/console/reporter', {
    method: 'PUT',
    json: { enabled: true, ...inGroup },
  })
  const report = () =>
    call(`/api/console/frontend-errors?id=${reporter.public_id}`, {
      json: { message: 'x is not a function' },
    })
  assert.equal((await report()).status, 202)

  assert.equal((await call(`/api/v1/groups/${group.id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await report()).status, 404)
  await waitFor('the event in the first group', async () =>
    titles(await list(server, '?type=config')).includes('Group "Short-lived" deleted'),
  )
  assert.equal(await deleteOfDeletedGroups(database.pool), 1)
  assert.equal(await deleteOfDeletedGroups(database.pool), 0)
  for (const table of ['events', 'minutes', 'hours', 'views', 'reporters']) {
    const { rows } = await database.pool.query(`select from console.${table} where group_id = $1`, [group.id])
    assert.deepEqual(rows, [], table)
  }
  assert.ok(titles(await list(server)).includes('Of another group'))
})
