import { Fault, faults, messageOf } from '#kernel/errors'

/** The usage log keeps status 499 for a client that did not wait; nobody is left to read it. */
export const clientDisconnected = (): Fault =>
  new Fault({ ...faults.provider, status: 499 }, 'The client disconnected.')

export const privateAddress = (): Fault =>
  new Fault(
    faults.provider,
    'The provider is in a private network. An owner must allow private networks for the provider, and the operator must set UPSTREAM_PRIVATE=1.',
  )

export const tooLarge = (): Fault =>
  new Fault(faults.provider, "The provider's response is larger than 64 MiB.")

export const damaged = (cause: unknown): Fault =>
  new Fault(faults.provider, "The provider's response is damaged.", { cause })

export const compressedStream = (): Fault =>
  new Fault(faults.provider, 'The provider compressed its stream, which was not requested.')

const timeouts: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT:
    'The provider did not respond in time. Stream long requests, or raise REQUEST_TIMEOUT_MS.',
  UND_ERR_BODY_TIMEOUT: 'The provider stopped sending in the middle of its response.',
  UND_ERR_CONNECT_TIMEOUT: 'The provider could not be reached in time.',
}

/** What a failed connection means to the client. */
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
    'The provider responded with a redirect, which is not followed. Check its base URL.',
  )
}
