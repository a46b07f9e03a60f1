import { isIP } from 'node:net'
import { Agent } from '#kernel/http-client'
import { isPrivateAddress, privateAddressCode, publicLookup } from '#kernel/public-address'
import type { Outcome } from './outcome.ts'
import { retryAfterMs } from './backoff.ts'

export interface HttpRequest {
  url: string
  headers: Record<string, string>
  /** JSON. */
  body: string
}

export interface HttpOptions {
  allowPrivate: boolean
  userAgent: string
  signal: AbortSignal
}

const timeoutMs = 10_000
const maxResponseBytes = 4_096

/**
 * One request over a connection of its own. Redirects are not followed: each would lead to an address that nobody
 * allowed.
 */
export async function post(request: HttpRequest, options: HttpOptions): Promise<Outcome> {
  const url = new URL(request.url)
  if (!options.allowPrivate && isIP(hostOf(url)) && isPrivateAddress(hostOf(url)))
    return failed(reasons[privateAddressCode] ?? '', false)
  const agent = new Agent({
    pipelining: 0,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(!options.allowPrivate && { lookup: publicLookup }) },
  })
  // The agent's own timeouts are coarse, and none of them covers the whole request.
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error('timeout')), timeoutMs)
  const abort = (): void => limit.reject(new Error('stopped'))
  options.signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([exchange(agent, url, request, options.userAgent), limit.promise])
  } catch (error) {
    return describe(error)
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', abort)
    await agent.destroy()
  }
}

async function exchange(agent: Agent, url: URL, request: HttpRequest, userAgent: string): Promise<Outcome> {
  const { statusCode, headers, body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...request.headers },
    body: request.body,
  })
  const response = await readStart(body)
  const ok = statusCode >= 200 && statusCode < 300
  const mayRetry = statusCode === 408 || statusCode === 429 || statusCode >= 500
  return {
    ok,
    statusCode,
    response,
    error: ok ? null : errorOf(statusCode),
    mayRetry,
    waitMs: mayRetry ? retryAfterMs(headers['retry-after']) : 0,
  }
}

/** The rest is not read: a receiver must not fill our memory. */
async function readStart(body: AsyncIterable<Uint8Array> & NodeJS.ReadableStream): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxResponseBytes) break
    }
  } catch {
    // The status counts, not a body that was cut off.
  }
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
}

function errorOf(status: number): string {
  if (status >= 300 && status < 400) return `Received status ${status}: redirects are not followed.`
  return `Received status ${status}.`
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const failed = (error: string, mayRetry: boolean): Outcome => ({
  ok: false,
  statusCode: null,
  response: null,
  error,
  mayRetry,
  waitMs: 0,
})

const reasons: Readonly<Record<string, string>> = {
  [privateAddressCode]:
    'The address is in a private network. Set allow_private; the operator must also set UPSTREAM_PRIVATE=1.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response.',
  UND_ERR_SOCKET: 'The connection was closed before a response.',
  ENOTFOUND: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be resolved.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
}

function describe(error: unknown): Outcome {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } }
  const known = code ?? cause?.code ?? ''
  if (message === 'timeout' || /TIMEOUT|ETIMEDOUT/.test(known))
    return failed(`No response within ${timeoutMs / 1_000} s.`, true)
  const reason = reasons[known] ?? `The request failed (${known === '' ? 'no code' : known}).`
  return failed(reason, known !== privateAddressCode)
}
