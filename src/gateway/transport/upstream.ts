import { lookup as resolveName } from 'node:dns'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { Pool } from '#kernel/http-client'
import { BoundedCache } from '#kernel/cache'
import type { Fault } from '#kernel/errors'
import type { KeyMask } from '#kernel/log'
import { privateAddress } from './faults.ts'
import { isPrivateAddress } from '#kernel/public-address'

export interface UpstreamCall {
  baseUrl: string
  path: string
  query: Record<string, string>
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: string | Uint8Array | NodeJS.ReadableStream | null
  allowPrivate: boolean
  /** Replaces the key of the call in whatever comes back. */
  mask: KeyMask
}

/** Connections to the providers: one pool for each origin, kept alive, never following a redirect. */
export interface Upstream {
  /** For the headers of a response, between its pieces, and for a client that does not read them. */
  readonly timeoutMs: number
  dispatch(call: UpstreamCall, handler: Dispatcher.DispatchHandler): void
  /** Ends every running call with the fault, and refuses further ones with it. */
  abort(fault: Fault): void
  close(): Promise<void>
}

const connectionsPerOrigin = 1024
const maxDestinations = 1_000

/** A base address, taken apart once and not for every call. */
interface Destination {
  pool: Pool
  path: string
}

export function createUpstream(timeoutMs: number): Upstream {
  const pools = new Map<string, Pool>()
  const createDestinations = () =>
    new BoundedCache<string, Destination>('upstream_addresses', maxDestinations)
  const destinations = { any: createDestinations(), public: createDestinations() }
  let aborted: Fault | undefined

  function destinationOf(baseUrl: string, allowPrivate: boolean): Destination {
    const known = destinations[allowPrivate ? 'any' : 'public']
    let destination = known.get(baseUrl)
    if (!destination) {
      const url = new URL(baseUrl)
      if (!allowPrivate && isIP(url.hostname.replace(/^\[|\]$/g, '')) && isPrivateAddress(url.hostname))
        throw privateAddress()
      destination = { pool: poolFor(url.origin, allowPrivate), path: url.pathname.replace(/\/$/, '') }
      known.set(baseUrl, destination)
    }
    return destination
  }

  function poolFor(origin: string, allowPrivate: boolean): Pool {
    const id = `${allowPrivate ? 'any' : 'public'} ${origin}`
    let pool = pools.get(id)
    if (!pool) {
      pool = new Pool(origin, {
        connections: connectionsPerOrigin,
        pipelining: 1,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        keepAliveTimeout: 30_000,
        connect: { timeout: Math.min(timeoutMs, 10_000), ...(!allowPrivate && { lookup: publicOnly }) },
      })
      pools.set(id, pool)
    }
    return pool
  }

  return {
    timeoutMs,
    dispatch({ baseUrl, path, query, method, headers, body, allowPrivate }, handler) {
      if (aborted) throw aborted
      const destination = destinationOf(baseUrl, allowPrivate)
      destination.pool.dispatch(
        {
          path: destination.path + path + searchOf(query),
          method,
          headers,
          body: body as Dispatcher.DispatchOptions['body'] & object,
        },
        handler,
      )
    },
    abort(fault) {
      aborted = fault
      for (const pool of pools.values()) void pool.destroy(fault)
    },
    async close() {
      await Promise.all([...pools.values()].filter(({ destroyed }) => !destroyed).map((pool) => pool.close()))
    },
  }
}

/** Few calls have one, and every call passes here. */
function searchOf(query: Record<string, string>): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`
}

/** Checked at connecting, not at saving: a name can be pointed at another address later. */
const publicOnly: typeof resolveName = ((
  hostname: string,
  options: object,
  done: (error: Error | null, ...rest: unknown[]) => void,
) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error)
    if (addresses.some(({ address }) => isPrivateAddress(address))) return done(privateAddress())
    const [first] = addresses
    if ((options as { all?: boolean }).all) return done(null, addresses)
    return done(null, first?.address, first?.family)
  })
}) as typeof resolveName
