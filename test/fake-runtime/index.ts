import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A server that speaks the wires of Ollama and of OpenAI-compatible runtimes, with every way to go wrong:
 *
 *   const fake = await startFakeRuntime()
 *   fake.fault = 'too few'                       // from now on
 *   fake.isBad = (text) => text.includes('bad')  // a batch with such a text gets 500
 *   fake.vectorOf('text')                        // the unit vector that it gives
 */
export type Fault =
  | 'too few'
  | '767 numbers'
  | 'null'
  | 'not a number'
  | 'too large'
  | 'zeros'
  | 'no index'
  | 'not JSON'
  | 'hangs'
  | 'dies'
  | 'model lost'
  | 'busy'
  | 'broken'
  | 'quotes the key'

export interface FakeRuntime {
  url: string
  fault: Fault | undefined
  /** How many requests the fault still has; it then goes away. */
  faultsLeft: number
  isBad: (text: string) => boolean
  models: string[]
  digest: string
  delayMs: number
  /** Inputs of the embedding requests so far. */
  batches: string[][]
  headers: IncomingMessage['headers'][]
  maxAtOnce: number
  vectorOf(text: string): number[]
  stop(): Promise<void>
  /** On the same port again. */
  restart(): Promise<void>
}

export type Wires = 'both' | 'ollama' | 'openai'

export async function startFakeRuntime(wires: Wires = 'both'): Promise<FakeRuntime> {
  const hanging = new Set<ServerResponse>()
  let running = 0
  let server: Server | undefined
  const fake: FakeRuntime = {
    url: '',
    fault: undefined,
    faultsLeft: Infinity,
    isBad: () => false,
    models: ['nomic-embed-text:latest', 'llama3.2:3b'],
    digest: 'a'.repeat(64),
    delayMs: 0,
    batches: [],
    headers: [],
    maxAtOnce: 0,
    vectorOf,
    async stop() {
      for (const response of hanging) response.destroy()
      server?.closeAllConnections()
      server?.close()
      if (server?.listening) await once(server, 'close')
    },
    async restart() {
      await fake.stop()
      await listen(Number(new URL(fake.url).port))
    },
  }

  async function listen(port: number): Promise<void> {
    server = createServer((request, response) => void answer(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (path === '/api/tags' && wires !== 'openai')
      return send(response, 200, {
        models: fake.models.map((name) => ({ name, digest: fake.digest, details: { family: 'bert' } })),
      })
    if (path === '/v1/models' && wires !== 'ollama')
      return send(response, 200, { object: 'list', data: fake.models.map((id) => ({ id, object: 'model' })) })
    const isOllama = path === '/api/embed' && wires !== 'openai'
    const isOpenai = path === '/v1/embeddings' && wires !== 'ollama'
    if (!isOllama && !isOpenai) return send(response, 404, { error: 'no such route' })
    const body = JSON.parse(await read(request)) as { input: string[] }
    fake.batches.push(body.input)
    fake.headers.push(request.headers)
    running += 1
    fake.maxAtOnce = Math.max(fake.maxAtOnce, running)
    if (fake.delayMs > 0) await pause(fake.delayMs)
    running -= 1
    if (fake.fault === 'quotes the key')
      return send(response, 500, { error: `not with ${request.headers.authorization}` })
    return embed(response, body.input, isOllama)
  }

  function embed(response: ServerResponse, input: string[], isOllama: boolean): void {
    const fault = fake.faultsLeft > 0 ? fake.fault : undefined
    if (fault) fake.faultsLeft -= 1
    if (fault === 'hangs') return void hanging.add(response)
    if (fault === 'dies') return void response.socket?.destroy()
    if (fault === 'model lost') return send(response, 404, { error: 'model "nomic-embed-text" not found' })
    if (fault === 'busy') return send(response, 503, { error: 'server busy, please try again' })
    if (fault === 'broken') return send(response, 500, { error: { message: 'inference failed' } })
    if (fault === 'not JSON') return void response.end('<html>')
    if (input.some((text) => fake.isBad(text)))
      return send(response, 500, { error: 'json: unsupported value: NaN' })
    const vectors = spoil(input.map(vectorOf), fault)
    const text = JSON.stringify(isOllama ? { embeddings: vectors } : openaiResponse(vectors, fault))
    response.setHeader('content-type', 'application/json')
    response.end(text.replaceAll('"NaN"', 'NaN').replaceAll('"1e999"', '1e999'))
  }

  await listen(0)
  return fake
}

/** Other order on purpose: `index` says which is which. */
function openaiResponse(vectors: unknown[], fault: Fault | undefined): object {
  const data = vectors.map((embedding, index) => ({
    object: 'embedding',
    embedding,
    index: fault === 'no index' ? 0 : index,
  }))
  return { object: 'list', data: data.toReversed(), usage: { prompt_tokens: 1, total_tokens: 1 } }
}

function spoil(vectors: number[][], fault: Fault | undefined): unknown[] {
  const [first = [], ...rest] = vectors
  if (fault === 'too few') return rest
  if (fault === '767 numbers') return vectors.map((vector) => vector.slice(1))
  if (fault === 'null') return [[null, ...first.slice(1)], ...rest]
  if (fault === 'not a number') return [['NaN', ...first.slice(1)], ...rest]
  if (fault === 'too large') return [['1e999', ...first.slice(1)], ...rest]
  if (fault === 'zeros') return [first.map(() => 0), ...rest]
  return vectors
}

/** Different for every text, the same every time, of unit length. */
function vectorOf(text: string): number[] {
  const bytes = Array.from({ length: 24 }, (_, part) =>
    createHash('sha256').update(`${part} ${text}`).digest(),
  )
  const numbers = Buffer.concat(bytes)
  const values = Array.from(numbers, (byte) => byte - 127.5)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
