import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answer,
  demoModels,
  previewModel,
  refusalOf,
  tokensOf,
  type ChatRequest,
  type Said,
} from './model.ts'

/** What is outside of Signalbox in the demo, on loopback: the Demo provider, services to check, and a receiver of messages. */
export interface World {
  url: string
  port: number
  stop(): Promise<void>
}

/** The one service of the shop that is down. */
export const brokenService = 'mail'

export async function startWorld(port: number): Promise<World> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const own = await listenOn(server, port)
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Whether the servers of a demo listen on this port, such as those of another process. */
export async function isWorldAt(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000)
    const response = await fetch(`http://127.0.0.1:${port}/v1/models`, { signal })
    return (await response.text()).includes(previewModel)
  } catch {
    return false
  }
}

/** On this port of loopback, or on a free one where something else has it. */
export async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  return (server.address() as AddressInfo).port
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://demo')
  if (pathname === '/v1/models')
    return send(response, 200, { object: 'list', data: [...demoModels, previewModel].map(listed) })
  const body = await textOf(request)
  if (pathname === '/v1/chat/completions') return complete(JSON.parse(body) as ChatRequest, response)
  if (pathname === '/on-call') return send(response, 200, { received: true })
  return send(response, pathname === `/health/${brokenService}` ? 503 : 200, { service: pathname })
}

const listed = (id: string): object => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'demo' })

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

function send(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

async function complete(request: ChatRequest, response: ServerResponse): Promise<void> {
  const refusal = refusalOf(request)
  if (refusal)
    return send(response, refusal.status, {
      error: { message: refusal.message, type: 'invalid_request_error', code: refusal.code },
    })
  const said = answer(request)
  const input = tokensOf(request.messages)
  const output = tokensOf(said)
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  // A larger prompt takes longer, as with any model.
  await sleep(30 + Math.min(input / 100, 300))
  if (request.stream === true) return stream(request, said, usage, response)
  const message = {
    role: 'assistant',
    content: said.text,
    ...(said.tools && { tool_calls: said.tools.map(toolCall) }),
  }
  const choice = { index: 0, message, finish_reason: said.tools ? 'tool_calls' : 'stop' }
  send(response, 200, { ...head('chat.completion', request.model), choices: [choice], usage })
}

const head = (object: string, model: string): object => ({
  id: `chatcmpl-demo-${Date.now()}`,
  object,
  created: Math.floor(Date.now() / 1_000),
  model,
})

const toolCall = (
  { name, arguments: given }: { name: string; arguments: object },
  index: number,
): object => ({
  index,
  id: `call_demo_${Date.now()}_${index}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
})

async function stream(
  request: ChatRequest,
  said: Said,
  usage: object,
  response: ServerResponse,
): Promise<void> {
  const chunk = (fields: object): void => {
    response.write(
      `data: ${JSON.stringify({ ...head('chat.completion.chunk', request.model), ...fields })}\n\n`,
    )
  }
  const piece = (delta: object, finish: string | null = null): void =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  piece({ role: 'assistant', content: '' })
  for (const word of said.text.match(/\S+\s*/g) ?? []) {
    piece({ content: word })
    await sleep(8)
  }
  if (said.tools) piece({ tool_calls: said.tools.map(toolCall) })
  piece({}, said.tools ? 'tool_calls' : 'stop')
  if (request.stream_options?.include_usage === true) chunk({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}
