import type { IncomingHttpHeaders } from 'node:http'
import { Fault, faults, messageOf } from '#kernel/errors'
import { BodyCollector } from './body-collector.ts'
import type { ClientPresence } from './client-presence.ts'
import type { Upstream, UpstreamCall } from './upstream.ts'

export interface WholeAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Makes a call and waits for the whole answer. A client that leaves cancels it at once. */
export function receiveWhole(
  upstream: Upstream,
  call: UpstreamCall,
  client?: ClientPresence,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector()
    let status = 0
    let headers: IncomingHttpHeaders = {}
    upstream.dispatch(call, {
      onRequestStart: (controller) => client?.onGone(() => controller.abort(clientGone())),
      onResponseStart: (_controller, code, received) => {
        status = code
        headers = received
      },
      onResponseData: (controller, chunk) => body.add(chunk, controller),
      onResponseEnd: () => {
        try {
          resolve({ status, headers, body: body.finish(headers) })
        } catch (error) {
          reject(toFault(error))
        }
      },
      onResponseError: (_controller, error) => reject(toFault(error)),
    })
  })
}

/** The status that the log keeps for a client that did not wait; nobody is left to read it. */
export const clientGone = (): Fault => new Fault({ ...faults.provider, status: 499 }, 'The client went away.')

const timeouts: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT:
    'The provider did not answer in time. Stream long requests, or raise REQUEST_TIMEOUT_MS.',
  UND_ERR_BODY_TIMEOUT: 'The provider stopped sending in the middle of its answer.',
  UND_ERR_CONNECT_TIMEOUT: 'The provider could not be reached in time.',
}

/** What a failed connection means to the caller. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { code = '', cause } = error as { code?: string; cause?: unknown }
  if (cause instanceof Fault) return cause
  const late = timeouts[code]
  if (late) return new Fault(faults.providerTimeout, late)
  const reason = code === '' ? 'broken off' : code
  return new Fault(faults.provider, `The connection to the provider failed (${reason}).`, {
    internal: messageOf(error),
    cause: error,
  })
}

/** A redirect is never followed: the key would go to another address. */
export function redirectFault(status: number): Fault | undefined {
  if (status < 300 || status >= 400) return undefined
  return new Fault(
    faults.provider,
    'The provider answered with a redirect, which is not followed. Check its base address.',
  )
}
