import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, createTestDatabase } from '#test/database'
import { claimDue } from './check-store.ts'

const target = await createTestDatabase()
const database = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())

test('a group with many services that are due does not keep the service of another group waiting', async () => {
  const [many, one] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
  await administer(
    `insert into access.groups (id, name) values ('${many}', 'Many'), ('${one}', 'One');
     insert into records.services (group_id, name, title, url, next_check_at)
     select '${many}', 'many-' || n, 'Many', 'https://many.example', now() - interval '1 hour'
     from generate_series(1, 20) as n;
     insert into records.services (group_id, name, title, url, next_check_at)
     values ('${one}', 'one', 'One', 'https://one.example', now() - interval '1 minute')`,
    target.database,
  )
  const claimed = await claimDue(database.tables<unknown>(), 5)
  assert.equal(claimed.length, 5)
  assert.equal(claimed.filter(({ url }) => url === 'https://one.example').length, 1)
})
