import { isIP } from 'node:net'
import { isPrivateAddress, privateAddressCode, publicLookup } from '#kernel/public-address'
import { Agent } from '#kernel/http-client'

export interface ProbeTarget {
  url: string
  timeout_ms: number
  expect_status: number
  /** Whether the owner and the operator allow private networks. */
  allowPrivate: boolean
}

export interface ProbeResult {
  ok: boolean
  status_code: number | null
  /** Until the headers of the response; null where none came. */
  latency_ms: number | null
  error: string | null
}

/**
 * One request over a connection of its own. Redirects are not followed: each would lead to an address that nobody
 * allowed. The body is not read.
 */
export async function probe(
  target: ProbeTarget,
  userAgent: string,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const url = new URL(target.url)
  if (!target.allowPrivate && isIP(hostOf(url)) && isPrivateAddress(hostOf(url)))
    return failed(reasons[privateAddressCode] ?? '')
  const agent = new Agent({
    pipelining: 0,
    headersTimeout: target.timeout_ms,
    connect: { timeout: target.timeout_ms, ...(!target.allowPrivate && { lookup: publicLookup }) },
  })
  const begun = performance.now()
  // The agent's own timeouts are coarse, and none of them covers the whole request.
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('timeout')), target.timeout_ms)
  const abort = (): void => timeout.reject(new Error('stopped'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    const { statusCode } = await Promise.race([statusOf(agent, url, userAgent), timeout.promise])
    const isExpected = statusCode === target.expect_status
    return {
      ok: isExpected,
      status_code: statusCode,
      latency_ms: Math.round(performance.now() - begun),
      error: isExpected ? null : `Expected status ${target.expect_status}, received ${statusCode}.`,
    }
  } catch (error) {
    return failed(describe(error, target.timeout_ms))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await agent.destroy()
  }
}

async function statusOf(agent: Agent, url: URL, userAgent: string): Promise<{ statusCode: number }> {
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: { 'user-agent': userAgent, accept: '*/*' },
  })
  body.on('error', () => undefined).destroy()
  return { statusCode }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const failed = (error: string): ProbeResult => ({ ok: false, status_code: null, latency_ms: null, error })

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

function describe(error: unknown, timeoutMs: number): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } }
  const known = code ?? cause?.code ?? ''
  if (message === 'timeout' || /TIMEOUT|ETIMEDOUT/.test(known)) return `No response within ${timeoutMs} ms.`
  return reasons[known] ?? `The request failed (${known === '' ? 'no code' : known}).`
}
