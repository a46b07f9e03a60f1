import assert from 'node:assert/strict'
import { join } from 'node:path'
import { serveFrom, start } from '../../bench/gateway/processes.ts'
import { providerNames, startFakeProvider } from '../fake-provider/index.ts'
import { replyTo } from './replies.ts'

export interface Scene extends AsyncDisposable {
  url: string
  key: string
  /** A key of these scopes. */
  makeKey(scopes: string[]): Promise<string>
}

/** A started Signalbox whose five providers are servers that speak their APIs and refuse what they would refuse. */
export async function startScene(folder: string): Promise<Scene> {
  await using running = new AsyncDisposableStack()
  const fake = await startFakeProvider()
  running.defer(() => fake.close())
  for (const provider of providerNames) fake.always(provider, replyTo)
  const server = await start({
    args: serveFrom(),
    environment: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      ...fake.baseUrls,
    },
    ready: /is ready at .*\n/,
  })
  running.defer(server.stop)
  const url = /ready at (http\S+)/.exec(server.output)?.[1] ?? ''
  const token = /\/\?token=(\S+)/.exec(server.output)?.[1] ?? ''
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'x-owner-token': token, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 201, path)
    return response.json()
  }
  for (const provider of providerNames)
    await post(`/providers/${provider}`, { api_key: `sk-planted-${provider}-0123456789`, name: provider })
  const kept = running.move()
  return {
    url,
    key: /sb-[A-Za-z0-9_-]{20,}/.exec(server.output)?.[0] ?? '',
    makeKey: async (scopes) =>
      ((await post('/api/v1/keys', { name: scopes.join(' '), scopes })) as { key: string }).key,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
