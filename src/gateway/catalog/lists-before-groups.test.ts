import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { migrate, openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, testServer } from '#test/database'

const name = `test_${randomUUID().replaceAll('-', '')}`
await administer(`create database ${name}`)
after(() => administer(`drop database if exists ${name} with (force)`))
const target = { kind: 'embedded', address: testServer(), database: name } as const

test('lists of before stay with the one group that has the provider; shared prices end and keep their rows', async () => {
  await migrate(target, '0010_access_password_attempts')
  const database = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
  const rows = async (text: string): Promise<unknown[]> => (await database.pool.query(text)).rows
  try {
    await rows(`insert into access.groups (name) values ('One'), ('Two')`)
    await rows(`insert into vault.provider_accounts (group_id, provider_id, name)
      select id, 'openai', 'Default' from access.groups where name = 'One'
      union all select id, 'openrouter', 'Default' from access.groups`)
    await rows(`insert into gateway.models (provider_id, id, synced_at)
      values ('openai', 'gpt-x', now()), ('openrouter', 'openrouter/x', now()), ('removed', 'x', now())`)
    await rows(`insert into usage.model_pricing
        (id, model_id, source, input_price_per_1m, output_price_per_1m, effective_from)
      values (gen_random_uuid(), 'openrouter/x', 'synced', 1, 1, now())`)
    await rows(`insert into search.documents (kind, id, title, url, at, hash)
      values ('model', 'openai/gpt-x', 'x', '/', now(), '')`)
    await migrate(target)
    assert.deepEqual(
      await rows('select g.name, m.id from gateway.models m join access.groups g on g.id = m.group_id'),
      [{ name: 'One', id: 'gpt-x' }],
    )
    assert.deepEqual(await rows('select effective_to is null as open from usage.model_pricing'), [
      { open: false },
    ])
    assert.deepEqual(await rows('select id from search.documents'), [])
  } finally {
    await database.close()
  }
})
