import { z } from 'zod'
import { Fault, faults } from '#kernel/errors'
import { callOwnRoute, type Http } from '#kernel/http'
import type { Secret } from '#kernel/log'

/** A key of the group that ends with the call. */
export type WithKey = <T>(groupId: string, scope: 'read', call: (key: Secret) => Promise<T>) => Promise<T>

const timeoutMs = 30_000
const refused = z.object({ error: z.object({ message: z.string(), code: z.string() }) })

/**
 * Reads as a client of the group would: what an agent may see is decided where it is decided for everybody, and its key
 * can change nothing.
 */
export function createReadRoute(http: () => Http | undefined, withKey: WithKey) {
  return async (
    groupId: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const app = http()
    if (!app) throw new Fault(faults.unavailable, 'The server is starting.')
    const { status, body: answer } = await withKey(groupId, 'read', (key) =>
      callOwnRoute(app, {
        method: body === undefined ? 'GET' : 'POST',
        path,
        headers: { authorization: `Bearer ${key.reveal()}` },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }),
    )
    if (status >= 200 && status <= 299) return answer
    const { data } = refused.safeParse(answer)
    const { message, code } = data?.error ?? {
      message: `The request failed with ${status}.`,
      code: 'unavailable',
    }
    throw new Fault({ status, code, type: 'server_error' }, message)
  }
}
