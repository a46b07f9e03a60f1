import { z } from 'zod'
import { scopes, type Scope } from '#kernel/auth'
import { StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import type { Platform, PlatformRequest, PlatformResponse } from '#tools'

const me = z.object({ scopes: z.array(z.string()) })
const isScope = (word: string): word is Scope => scopes.includes(word as Scope)

/** A Signalbox server at an address; asks it once what the key may do. */
export async function remotePlatform(address: string, key: Secret): Promise<Platform> {
  const call = (request: PlatformRequest) => send(address, key, request)
  const { status, body } = await call({ method: 'GET', path: '/api/v1/me' })
  if (status === 401) throw new StartFault(`The server at ${address} does not accept the API key.`)
  const { data } = me.safeParse(body)
  if (status !== 200 || !data)
    throw new StartFault(`There is no Signalbox server at ${address}. Start it, or give another: --to URL.`)
  return { address, scopes: new Set(data.scopes.filter(isScope)), call }
}

async function send(
  address: string,
  key: Secret,
  { method, path, body, signal }: PlatformRequest,
): Promise<PlatformResponse> {
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      // The key is for this server alone.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${key.reveal()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    return { status: response.status, body: parse(await response.text()) }
  } catch {
    const message = `The Signalbox server at ${address} is unavailable.`
    return { status: 503, body: { error: { code: 'unavailable', message } } }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
