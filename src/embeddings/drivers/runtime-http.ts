import { messageOf } from '#kernel/errors'
import { Agent } from '#kernel/http-client'
import { maskFor, type Secret } from '#kernel/log'
import { RuntimeDown } from './driver.ts'

/** The runtime looked at the request and did not want it: perhaps one text of the batch is to blame. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface RuntimeHttp {
  readonly url: string
  get(path: string): Promise<unknown>
  post(path: string, body: object, signal?: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

const maxResponseBytes = 67_108_864
const probeTimeoutMs = 2_000

export interface RuntimeHttpOptions {
  timeoutMs: number
  apiKey: Secret | undefined
}

/** Asks one runtime. What is no fault of the texts comes out as `RuntimeDown`, the rest as `Refused`. */
export function createRuntimeHttp(url: string, { timeoutMs, apiKey }: RuntimeHttpOptions): RuntimeHttp {
  const agent = new Agent({ connections: 16, pipelining: 1, maxResponseSize: maxResponseBytes })
  /** Servers may quote the key in their errors. */
  const withoutKey = (text: string): string => (apiKey ? maskFor(apiKey).text(text) : text)
  const authorization = apiKey && { authorization: `Bearer ${apiKey.reveal()}` }

  async function ask(
    method: 'GET' | 'POST',
    path: string,
    timeout: number,
    body?: object,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { status, text } = await exchange(method, path, timeout, body, signal)
    if (status >= 200 && status < 300) return parse(text, url)
    throw describe(status, reasonIn(withoutKey(text)), url)
  }

  async function exchange(
    method: 'GET' | 'POST',
    path: string,
    timeout: number,
    body?: object,
    cancelled?: AbortSignal,
  ) {
    try {
      const { origin, pathname, search } = new URL(`${url}${path}`)
      const response = await agent.request({
        origin,
        path: pathname + search,
        method,
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(cancelled ? [cancelled] : [])]),
        headers: { accept: 'application/json', 'content-type': 'application/json', ...authorization },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return { status: response.statusCode, text: await response.body.text() }
    } catch (error) {
      cancelled?.throwIfAborted()
      const reason = isTimeout(error) ? `no answer within ${timeout} ms` : messageOf(error)
      throw new RuntimeDown(`The embedding runtime at ${url} cannot be reached: ${reason}.`, {
        cause: error,
        isTimeout: isTimeout(error),
      })
    }
  }

  return {
    url,
    get: (path) => ask('GET', path, Math.min(probeTimeoutMs, timeoutMs)),
    post: (path, body, signal) => ask('POST', path, timeoutMs, body, signal),
    close: () => agent.destroy(),
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || /Timeout/.test(error.name))

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(200, `The runtime at ${url} gave an answer that is not JSON.`)
  }
}

function describe(status: number, reason: string, url: string): Error {
  const said = `The embedding runtime at ${url} returned ${status}: ${reason}`
  if (status === 503 || status === 429) return new RuntimeDown(said, { status })
  if (status === 404) return new RuntimeDown(`${said}. Does it hold the model (ollama pull …)?`, { status })
  if (status === 401 || status === 403)
    return new RuntimeDown(`${said}. Is RUNTIME_API_KEY right?`, { status })
  return new Refused(status, said)
}

/** Runtimes say it in `error`, `error.message`, or `message`. */
function reasonIn(text: string): string {
  try {
    const body = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown }
    const said = typeof body.error === 'object' ? body.error.message : (body.error ?? body.message)
    if (typeof said === 'string') return said.slice(0, 300)
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return text.trim().slice(0, 300) || 'no reason given'
}
