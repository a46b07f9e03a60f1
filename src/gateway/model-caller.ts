import type { Principal } from '#kernel/auth'
import { Fault, faults } from '#kernel/errors'
import { readReply, readStream, type ModelReply } from '#kernel/model-reply'
import { chat } from './apis/index.ts'
import { askFrom, OwnReply, type Asking } from './request/client.ts'
import type { createComplete } from './request/complete.ts'
import { parseJson } from './wire/json.ts'

/** How other parts of Signalbox ask a model. */
export interface ModelCaller {
  /**
   * One chat completion through the gateway, as a client of the group would get it: with the group's provider keys,
   * metered, and in the usage log under the key `Signalbox`. Rejects with the Fault that a client would see.
   */
  complete(call: ModelCall): Promise<ModelReply>
  /** The same, with the text as it comes. Rejects also when the response breaks off. */
  stream(call: ModelCall, onText: (piece: string) => void): Promise<ModelReply>
  /** Rejects with the Fault of a call to the model, where one is known before it: no provider, no key. */
  check(groupId: string, model: string): Promise<void>
}

export interface ModelCall {
  groupId: string
  /** What the call is for: the `user` of its log entry. */
  purpose: string
  /** Groups calls in the usage log, which then shows their cost. */
  session?: string
  /** A request of the Chat Completions API. */
  request: { model: string; messages: readonly object[]; [field: string]: unknown }
  signal?: AbortSignal
}

export interface ModelCallerDeps {
  /** Undefined while no routes are registered: the process does not run the gateway. */
  complete(): ReturnType<typeof createComplete> | undefined
  /** Signalbox itself, in a group and with one scope. */
  principalFor(groupId: string, scope: 'gateway'): Promise<Principal>
  /** Throws where no request of the group to the model can be made. */
  checkModel(groupId: string, model: string): Promise<void>
}

/** Asks within the process, by the same path as a client's request from its body on. */
export function createModelCaller({ complete, principalFor, checkModel }: ModelCallerDeps): ModelCaller {
  function gateway(): ReturnType<typeof createComplete> {
    const found = complete()
    if (found) return found
    throw new Fault(faults.unavailable, 'This process does not run the gateway. Add gateway to ROLES.')
  }

  async function serve({ signal, ...call }: ModelCall, isStream: boolean) {
    const handler = gateway()(chat)
    const request = requestOf(call, isStream, await principalFor(call.groupId, 'gateway'))
    signal?.throwIfAborted()
    const reply = new OwnReply(signal)
    return { request, reply, done: handler(request, reply) }
  }

  return {
    async complete(call) {
      const { request, reply, done } = await serve(call, false)
      await done
      return readReply(request.id, parseJson(Buffer.from(reply.body).toString()))
    },
    async stream(call, onText) {
      const { request, reply, done } = await serve(call, true)
      // What was refused before its first byte has nothing to read.
      done.catch((error: Error) => reply.raw.destroy(error))
      return readStream(request.id, reply.raw, ({ text }) => {
        if (text !== '') onText(text)
      })
    },
    async check(groupId, model) {
      gateway()
      await checkModel(groupId, model)
    },
  }
}

function requestOf(
  { purpose, session, request }: Omit<ModelCall, 'signal'>,
  isStream: boolean,
  principal: Principal,
): Asking {
  const headers = session === undefined ? {} : { 'x-signalbox-session': session }
  return askFrom(principal, 'gateway', { headers, body: { ...request, stream: isStream, user: purpose } })
}
