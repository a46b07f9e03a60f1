import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

/** What the server loads, from here on. */
const loaded = new Set<string>()
registerHooks({
  load(url, context, nextLoad) {
    loaded.add(url.replace(/^.*\/src\//, 'src/'))
    return nextLoad(url, context)
  },
})
const { startGateway, exampleModels } = await import('#test/gateway')
const server = await startGateway()

test('without a collector nothing of traces is loaded, and providers are told of none', async () => {
  const asked = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: exampleModels.openai, messages: [{ role: 'user', content: 'Hello' }] },
    headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  })
  assert.equal(asked.status, 200)
  assert.equal(server.fake.requests.at(-1)?.headers['traceparent'], undefined)
  assert.ok(loaded.has('src/main.ts'), 'it sees what is loaded')
  const traces = [...loaded].filter((file) => file.startsWith('src/kernel/tracing/'))
  assert.deepEqual(traces, ['src/kernel/tracing/index.ts'])
})
