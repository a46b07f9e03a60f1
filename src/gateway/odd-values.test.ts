import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway({ RUNTIME: 'builtin' })
const { key } = server
/** Stands for JSON nested so deeply that no program can write it by recursion. */
const deep = '@deep'
const withDepth = (json: unknown): string =>
  JSON.stringify(json).replaceAll(`"${deep}"`, '['.repeat(6_000) + ']'.repeat(6_000))
const texts = ['a\0b', '\ud800', '-'.repeat(10_000), '\u2028', '%', "'", '\\', ' ', '', '😀'.repeat(5_000)]
const uuid = '00000000-0000-7000-8000-000000000000'

/** An error object that says what is wrong, or success: never a failure of the server. */
async function check(
  path: string,
  options: Parameters<typeof server.call>[1],
  what: string,
): Promise<number> {
  const body = options?.json === undefined ? {} : { body: withDepth(options.json) }
  const { status, json, text } = await server.call(path, {
    key,
    ...options,
    json: undefined,
    ...body,
    headers: { 'content-type': 'application/json', ...options?.headers },
  })
  assert.ok(status < 500, `${what}: ${status} ${text.slice(0, 300)}`)
  if (status >= 400) assert.equal(typeof json.error.message, 'string', `${what}: ${text.slice(0, 300)}`)
  return status
}

const message = { role: 'user', content: 'Hello' }
const tool = (parameters: unknown) => [{ type: 'function', function: { name: 'f', parameters } }]
const chatBodies: Record<string, (value: unknown) => object> = {
  metadata: (value) => ({ metadata: { value } }),
  "a tool's schema": (value) => ({ tools: tool({ type: 'object', properties: value }) }),
  response_format: (value) => ({
    response_format: { type: 'json_schema', json_schema: { name: 's', schema: { value } } },
  }),
  user: (value) => ({ user: value }),
  'an unknown field': (value) => ({ zzz: value }),
  content: (value) => ({ messages: [{ role: 'user', content: value }] }),
  model: (value) => ({ model: value }),
}

for (const [provider, model] of Object.entries(exampleModels)) {
  test(`${provider}: odd values anywhere in a completion are answered with a status below 500`, async () => {
    for (const [field, body] of Object.entries(chatBodies))
      for (const value of [deep, [[[[]]]], ...texts, 5e-324, 1e308, -0, null])
        for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses']) {
          const json = { model, messages: [message], input: 'Hello', max_tokens: 9, ...body(value) }
          await check(path, { json }, `${path} ${field} ${JSON.stringify(value).slice(0, 40)}`)
        }
  })
}

test('JSON nested 6,000 levels deep is refused by name wherever it stands', async () => {
  for (const [field, body] of Object.entries(chatBodies)) {
    const json = { model: exampleModels.openai, messages: [message], ...body(deep) }
    assert.equal(await check('/v1/chat/completions', { json }, field), 400, field)
  }
})

test('a price is a plain decimal number: anything else is refused', async () => {
  for (const value of [5e-324, 1e308, 1e-13, 1e9, -1, '1e5', 'NaN', '', ' 1', '0x10', deep, {}, null])
    for (const field of ['input_price_per_1m', 'request_price', 'tiers', 'unit_prices'])
      for (const [path, wrap] of [
        ['/api/v1/pricing/some-model', (body: object): unknown => body],
        ['/api/v1/pricing', (body: object): unknown => [{ model_id: 'some-model', ...body }]],
      ] as const) {
        const prices = { input_price_per_1m: '1', output_price_per_1m: '1' }
        const given =
          field === 'tiers'
            ? { tiers: [{ above_tokens: 1, input_price_per_1m: value }] }
            : { [field]: field === 'unit_prices' ? { web_search: value } : value }
        const json = wrap({ ...prices, ...given })
        const status = await check(path, { method: 'PUT', json }, `${path} ${field} ${JSON.stringify(value)}`)
        // The optional ones may be null.
        if (value !== null) assert.equal(status, 400, `${path} ${field} ${JSON.stringify(value)}`)
      }
})

test('odd texts in paths and queries are answered with a status below 500', async () => {
  const paths = (text: string): string[] => [
    `/v1/models/${text}`,
    `/api/v1/pricing/${text}`,
    `/api/v1/pricing?model=${text}`,
    `/api/v1/logs?model=${text}`,
    `/api/v1/logs?provider=${text}`,
    `/api/v1/logs?cursor=${text}`,
    `/api/v1/logs?start_date=${text}`,
    `/api/v1/logs/${text}`,
    `/api/v1/logs/export?format=${text}`,
    `/api/v1/logs/export?model=${text}`,
    `/api/v1/analytics/by-model?provider=${text}`,
    `/api/v1/analytics/daily?model=${text}`,
    `/providers?group_id=${text}`,
    `/providers/key/${text}/reveal`,
  ]
  for (const text of [
    'a%00b',
    '%00',
    '%ED%A0%80',
    '-'.repeat(10_000),
    '%E2%80%A8',
    "'",
    '%5C',
    '..%2f',
    '%FF',
  ])
    for (const path of paths(text)) await check(path, {}, path.slice(0, 80))
})

test('odd texts in the bodies of the other routes are answered with a status below 500', async () => {
  for (const text of [...texts, deep, 5e-324, 1e308, -1, true, null, [], {}]) {
    const requests: [method: string, path: string, json: unknown][] = [
      ['POST', '/providers', { id: text, name: text, base_url: text, prefixes: [text] }],
      ['POST', '/providers', { id: 'odd', name: text, base_url: 'https://odd.example', prefixes: ['odd/'] }],
      ['PATCH', '/providers/odd', { name: text }],
      ['PATCH', '/providers/odd', { docs_url: text }],
      ['DELETE', '/providers/odd', undefined],
      ['POST', '/providers/openai', { api_key: text }],
      ['POST', '/providers/openai', { api_key: 'a-good-key-123', name: text }],
      ['POST', '/providers/openai/accounts', { name: text, account_email: 'a@example.com' }],
      ['POST', '/providers/openai/accounts', { name: 'n', account_email: text, account_phone: text }],
      ['POST', `/providers/key/${uuid}/activate`, undefined],
      ['PATCH', `/providers/accounts/${uuid}`, { name: text }],
      ['PUT', `/api/v1/pricing/m`, { input_price_per_1m: text, output_price_per_1m: 1 }],
      ['PUT', `/api/v1/pricing`, [{ model_id: text, input_price_per_1m: 1, output_price_per_1m: 1 }]],
      ['POST', '/api/v1/embed', { text }],
      ['POST', '/api/v1/embed', { text: 'good', task: text }],
      ['POST', '/api/v1/embed/batch', { texts: [text, 'good'] }],
      ['POST', '/v1/embeddings', { input: text, model: 'x' }],
      ['POST', '/v1/embeddings', { input: [text], dimensions: text, encoding_format: text }],
      ['POST', '/api/v1/search', { query: text }],
      ['POST', '/api/v1/search', { query: 'good', kinds: [text], limit: text }],
      ['POST', '/api/v1/rank', { query: text, texts: [text, 'good'] }],
    ]
    for (const [method, path, json] of requests)
      await check(
        path,
        { method, headers: { accept: 'application/json' }, ...(json !== undefined && { json }) },
        `${method} ${path} ${JSON.stringify(text).slice(0, 30)}`,
      )
  }
})

test('what odd requests left behind can be listed, searched and exported', async () => {
  for (const path of ['/providers', '/api/v1/pricing', '/v1/models', '/api/v1/logs?limit=1000'])
    assert.equal(await check(path, { headers: { accept: 'application/json' } }, path), 200)
  assert.equal(await check('/api/v1/logs/export?format=csv', {}, 'export'), 200)
})
