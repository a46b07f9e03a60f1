import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { dumpTables } from '#kernel/db'
import { Secret } from '#kernel/log'
import { addKey, startVault } from '#test/vault'
import { waitFor } from '#test/wait'

const server = await startVault()
// No pattern of the log's mask matches this format, so nothing but the Secret type protects it.
const planted = `canary${randomBytes(12).toString('hex')}`
const responses: string[] = []

async function ask(path: string, options: Parameters<typeof server.call>[1] = {}): Promise<void> {
  const { text, headers } = await server.call(path, options)
  responses.push(text, inspect([...headers]))
}

async function everything(): Promise<string> {
  let dump = ''
  for await (const chunk of dumpTables(server.target)) dump += chunk.toString()
  return dump
}

test('a planted key is found in no log line, event, error, table or response except that of reveal', async () => {
  const { id, provider_account_id: account } = await addKey(server, planted)
  await ask('/providers/openai', { json: { api_key: planted } })
  await ask(`/providers/accounts/${account}/keys`, { json: { api_key: planted, name: 'again' } })
  await ask('/providers/nobody', { json: { api_key: planted } })
  await ask('/providers/openai', { json: { api_key: `${planted}\n` } })
  await ask('/providers/openai', { body: `api_key=${planted}%0A`, headers: { 'content-type': 'text/plain' } })
  await ask('/providers/openai', {
    body: `{"api_key":"${planted}"`,
    headers: { 'content-type': 'application/json' },
  })
  for (const action of ['set-default', 'deactivate', 'activate'])
    await ask(`/providers/key/${id}/${action}`, { method: 'POST' })
  await ask('/providers')
  await ask('/openapi.json')
  const chosen = await server.vault.choose(server.groupId, { id: 'openai', name: 'OpenAI' }, id)
  server.vault.noteOutcome(id, `the provider does not like ${planted}`)
  await server.vault.stop()
  await ask('/providers')
  const revealed = await server.call(`/providers/key/${id}/reveal`)
  assert.equal(revealed.json.api_key, planted)
  const tables = await everything()
  await ask(`/providers/key/${id}/delete`, { method: 'POST' })

  const places = {
    responses: responses.join('\n'),
    log: server.logged(),
    events: JSON.stringify(server.events),
    chosen: inspect(chosen) + JSON.stringify(chosen),
    tables,
    vault: inspect(server.vault, { depth: 10, showHidden: true }),
  }
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 0)
    for (const encoding of [
      planted,
      Buffer.from(planted).toString('base64'),
      Buffer.from(planted).toString('hex'),
    ])
      assert.ok(!text.includes(encoding), place)
  }
  assert.ok(places.tables.includes('provider does not like [key]'), 'the dump was really read')
})

test('a row that was moved to another group or id, or changed, does not open and says what to do', async () => {
  const key = await addKey(server, `${planted}01`, 'gemini', 'moved')
  const twin = await addKey(server, `${planted}02`, 'gemini', 'twin')
  const group = (await server.call('/api/v1/groups', { json: { name: 'Thief' } })).json.id as string
  const refused = /^The stored key .* is damaged and cannot be decrypted/
  const choose = (groupId: string, id: string): Promise<unknown> =>
    Promise.resolve().then(() => server.vault.choose(groupId, { id: 'gemini', name: 'Gemini' }, id))
  const isDamaged = (groupId: string, id: string): Promise<boolean> =>
    choose(groupId, id).then(
      () => false,
      (error: Error) => refused.test(error.message),
    )

  await server.query(
    `update vault.provider_keys set encrypted_key =
    (select encrypted_key from vault.provider_keys where id = $1) where id = $2`,
    [key.id, twin.id],
  )
  // What was read before the change may be used for a moment.
  await waitFor('the exchanged key to be refused', () => isDamaged(server.groupId, twin.id))
  await assert.rejects(choose(server.groupId, twin.id), { message: refused, code: 'no_provider_key' })
  assert.match((await server.call(`/providers/key/${twin.id}/reveal`)).json.error.message as string, refused)

  await server.query(
    `insert into vault.provider_accounts (group_id, provider_id, name) values ($1, 'gemini', 'Stolen')`,
    [group],
  )
  await server.query(
    `update vault.provider_keys set group_id = $1, provider_account_id =
      (select id from vault.provider_accounts where name = 'Stolen') where id = $2`,
    [group, key.id],
  )
  await waitFor('the moved key to be refused', () => isDamaged(group, key.id))
  await waitFor('the key to leave its group', () =>
    choose(server.groupId, key.id).then(
      () => false,
      ({ code }: { code?: string }) => code === 'no_provider_key',
    ),
  )

  const third = await addKey(server, `${planted}03`, 'gemini', 'tampered')
  await server.query(
    `update vault.provider_keys set encrypted_key =
    overlay(encrypted_key placing 'AAAA' from length(encrypted_key) - 8) where id = $1`,
    [third.id],
  )
  await waitFor('the changed key to be refused', () => isDamaged(server.groupId, third.id))
  assert.equal((await server.call(`/providers/key/${third.id}/delete`, { method: 'POST' })).status, 204)
})

test('a key and its account cannot belong to different groups or providers', async () => {
  const { id } = await addKey(server, `${planted}04`, 'anthropic')
  await assert.rejects(
    server.query(`update vault.provider_keys set provider_id = 'openai' where id = $1`, [id]),
  )
  await assert.rejects(
    server.query(`update vault.provider_keys set group_id = gen_random_uuid() where id = $1`, [id]),
  )
})

test('keys of the environment are taken once, and the log shows their suffix only', async () => {
  const found = [
    { providerId: 'openrouter', key: new Secret(`${planted}99`) },
    { providerId: 'openai', key: new Secret('broken\nkey-value') },
  ]
  const before = await server.query('select id from vault.provider_keys')
  await server.vault.takeFromEnvironment(server.groupId, found)
  await server.vault.takeFromEnvironment(server.groupId, found)
  const rows = await server.query<{ provider_id: string; key_suffix: string; user_id: null }>(
    `select provider_id, key_suffix, user_id from vault.provider_keys where name = 'From the environment'`,
  )
  assert.deepEqual(rows, [{ provider_id: 'openrouter', key_suffix: `${planted}99`.slice(-4), user_id: null }])
  assert.equal((await server.query('select id from vault.provider_keys')).length, before.length + 1)
  assert.ok(!server.logged().includes(planted))
  assert.match(server.logged(), new RegExp(`"suffix":"${planted.slice(-2)}99"`))
  assert.match(server.logged(), /is not valid and was left out/)
})
