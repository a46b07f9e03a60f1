import assert from 'node:assert/strict'
import pg from 'pg'
import { exampleModels, keyOf, startGateway, type GatewayProduct } from '#test/gateway'
import { waitFor } from '#test/wait'

export interface RouteSpec {
  name: string
  targets: readonly (string | { model: string; provider_key_id?: string; weight?: number })[]
  strategy?: string
  attempts?: number
  timeout_ms?: number
  first_token_timeout_ms?: number
}

export const [gpt, claude, gemini] = [exampleModels.openai, exampleModels.anthropic, exampleModels.gemini]
export const messages = [{ role: 'user', content: 'Hello' }]

export interface RoutedProduct extends GatewayProduct {
  route(spec: RouteSpec): Promise<void>
  /** Adds a key to OpenAI and pools it with the first. */
  pool(name: string, weight?: number): Promise<string>
  ask(model: string, more?: object, headers?: Record<string, string>): ReturnType<GatewayProduct['call']>
  /** As if nothing had failed: keys do not rest, circuits are closed, the fake is empty. */
  recover(): Promise<void>
  /** Which provider got each call since the last reset, in order. */
  called(): string[]
  /** Which keys the calls were made with, in order. */
  usedKeys(): string[]
}

export async function startRouted(environment: Record<string, string> = {}): Promise<RoutedProduct> {
  const server = await startGateway(environment)
  const json = { headers: { accept: 'application/json' } }
  let firstKeyId: string | undefined
  const pooled = (id: string, weight: number) =>
    server.call(`/providers/key/${id}`, { ...json, method: 'PATCH', json: { pooled: true, weight } })
  return {
    ...server,
    async route({ targets, ...spec }) {
      const full = targets.map((target) => (typeof target === 'string' ? { model: target } : target))
      const { status, text } = await server.call('/api/v1/routes', { json: { ...spec, targets: full } })
      assert.equal(status, 201, text)
    },
    async pool(name, weight = 1) {
      if (firstKeyId === undefined) {
        ;[firstKeyId = ''] = await keyIds(server)
        assert.equal((await pooled(firstKeyId, 1)).status, 200)
      }
      const added = await server.call('/providers/openai', {
        ...json,
        json: { api_key: `${keyOf('openai')}-${name}`, name },
      })
      assert.equal((await pooled(added.json.id as string, weight)).status, 200)
      return added.json.id as string
    },
    async recover() {
      for (const id of await keyIds(server))
        for (const word of ['deactivate', 'activate'])
          await server.call(`/providers/key/${id}/${word}`, { method: 'POST', ...json })
      server.fake.reset()
    },
    ask: (model, more = {}, headers = {}) =>
      server.call('/v1/chat/completions', { key: server.key, json: { model, messages, ...more }, headers }),
    called: () => server.fake.requests.map(({ provider }) => provider),
    usedKeys: () =>
      server.fake.requests.map(
        ({ headers }) =>
          String(headers.authorization)
            .replace(`Bearer ${keyOf('openai')}`, '')
            .replace(/^-?/, '') || 'first',
      ),
  }
}

/** The keys of all providers, those of OpenAI first. */
async function keyIds(server: GatewayProduct): Promise<string[]> {
  const { json } = await server.call('/providers', { headers: { accept: 'application/json' } })
  type Listed = { id: string; accounts: { keys: { id: string }[] }[] }
  const listed = (json.providers as Listed[]).toSorted((one) => (one.id === 'openai' ? -1 : 0))
  return listed.flatMap(({ accounts }) => accounts.flatMap(({ keys }) => keys.map(({ id }) => id)))
}

export interface LoggedAttempt {
  provider: string
  provider_key_id: string
  model: string
  status_code: number | null
  error_code: string | null
  prompt_tokens: number | null
}

/** The trail of a request, as its page in the log shows it. */
export async function trailOf(
  server: RoutedProduct,
  { headers }: { headers: Headers },
): Promise<{ row: Record<string, unknown>; attempts: LoggedAttempt[] }> {
  const id = headers.get('x-request-id') ?? ''
  const row = await waitFor('the request in the log', async () => {
    const { status, json } = await server.call(`/api/v1/logs/${id}`)
    return status === 200 && (json as Record<string, unknown>)
  })
  return { row, attempts: (row['attempts'] ?? []) as LoggedAttempt[] }
}

export async function withDatabase<T>(
  server: GatewayProduct,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  assert.ok(server.target.kind === 'embedded')
  const client = new pg.Client({ ...server.target.address, database: server.target.database })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
