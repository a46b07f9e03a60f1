import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { keyWith, personWith } from '#test/people'
import { startProduct } from '#test/product'

const fake = await startFakeProvider()
after(() => fake.close())
const product = await startProduct({ ...fake.baseUrls })
const { call } = product

interface DefaultModel {
  use: string
  model: string
  source: string
  retires_on: string | null
}

const path = '/api/v1/default-models'
const defaults = async (): Promise<DefaultModel[]> => (await call(path)).json.data
const modelOf = async (use: string): Promise<string | undefined> =>
  (await defaults()).find((each) => each.use === use)?.model
const put = (use: string, model: string | null, by = call) =>
  by(`${path}/${use}`, { method: 'PUT', json: { model } })
async function addKey(provider: string): Promise<void> {
  const json = { api_key: `sk-planted-${provider}-0123456789`, name: provider }
  const { status, text } = await call(`/providers/${provider}`, {
    json,
    headers: { accept: 'application/json' },
  })
  assert.equal(status, 201, text)
}

test('defaults are the newest capable model of the first provider that the group has a key for', async () => {
  await addKey('perplexity')
  assert.equal(await modelOf('agents'), 'sonar-pro')
  await addKey('gemini')
  assert.equal(await modelOf('agents'), 'gemini-4-argon')
  await addKey('openai')
  assert.equal(await modelOf('agents'), 'gpt-6.1-sol')
  await addKey('anthropic')
  assert.deepEqual(
    (await defaults()).map(({ use, model, source, retires_on }) => [use, model, source, retires_on]),
    [
      ['agents', 'claude-sonnet-5-5', 'automatic', null],
      ['standups', 'claude-sonnet-5-5', 'automatic', null],
    ],
  )
  assert.deepEqual((await call(path)).json.suggestions, [
    { provider: 'anthropic', model: 'claude-sonnet-5-5' },
    { provider: 'openai', model: 'gpt-6.1-sol' },
    { provider: 'gemini', model: 'gemini-4-argon' },
    { provider: 'perplexity', model: 'sonar-pro' },
  ])
})

test('a group sets its own defaults, which agents use from their next run on', async () => {
  assert.equal((await put('agents', 'gpt-6-sol')).status, 200)
  const [first, second] = await defaults()
  assert.deepEqual([first?.model, first?.source], ['gpt-6-sol', 'group'])
  assert.equal(second?.source, 'automatic')
  assert.equal((await call('/api/agents/data-engineer')).json.model, 'default')
  fake.script('openai', { text: 'Hello.' })
  const { json: run } = await call('/api/agents/data-engineer/ask', { json: { request: 'Say hello.' } })
  assert.equal(run.response, 'Hello.', JSON.stringify(run.error))
  assert.match(JSON.stringify(fake.requests.at(-1)?.json), /"model":"gpt-6-sol"/)
  assert.equal((await put('agents', null)).status, 200)
  assert.equal((await defaults())[0]?.source, 'automatic')
})

test('stand-ups use the default of the group', async () => {
  await put('standups', 'gpt-6-sol')
  const { slug } = (await call('/api/initiatives', { json: { title: 'Faster orders' } })).json
  assert.equal((await call(`/api/initiatives/${slug}/standup`)).json.model, 'gpt-6-sol')
  await put('standups', null)
  assert.equal((await call(`/api/initiatives/${slug}/standup`)).json.model, 'claude-sonnet-5-5')
})

test('bad defaults are refused, and only admins and owners set them', async () => {
  for (const model of ['', 7, 'x'.repeat(301)])
    assert.equal((await put('agents', model as string)).status, 400)
  assert.equal((await put('nothing', 'gpt-6-sol')).status, 400)
  assert.equal((await put('agents', 'no-such-model')).status, 404)
  assert.equal((await put('agents', 'gpt-6-sol', await personWith(product, 'member'))).status, 403)
  assert.equal((await put('agents', 'gpt-6-sol', await keyWith(product, ['read']))).status, 403)
  const group = (await call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(product, 'owner', group)
  assert.equal((await put('agents', 'gpt-6-sol', stranger)).status, 200)
  assert.equal((await defaults())[0]?.source, 'automatic')
})

test('the date on which a chosen model ends is shown', async () => {
  await put('agents', 'claude-sonnet-4-5-20250929')
  assert.equal((await defaults())[0]?.retires_on, '2026-11-30')
})
