import type { IncomingMessage } from 'node:http'
import { Fault, faults } from '#kernel/errors'
import { readOwnJson, readOwnRoute, type Http } from '#kernel/http'
import type { Secret } from '#kernel/log'
import { readReply, readStream, refusal, type ModelReply } from '#kernel/model-reply'

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
  http(): Http | undefined
  /** A key of the group that ends with the call. */
  withKey<T>(groupId: string, scope: 'gateway', call: (key: Secret) => Promise<T>): Promise<T>
  /** Throws where no request of the group to the model can be made. */
  checkModel(groupId: string, model: string): Promise<void>
}

export function createModelCaller({ http, withKey, checkModel }: ModelCallerDeps): ModelCaller {
  function gateway(): Http {
    const app = http()
    if (app) return app
    throw new Fault(faults.unavailable, 'This process does not run the gateway. Add gateway to ROLES.')
  }

  async function call<T>(
    { groupId, purpose, session, request, signal }: ModelCall,
    isStream: boolean,
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const app = gateway()
    return withKey(groupId, 'gateway', (key) =>
      readOwnRoute(
        app,
        {
          path: '/v1/chat/completions',
          headers: {
            authorization: `Bearer ${key.reveal()}`,
            ...(session !== undefined && { 'x-signalbox-session': session }),
          },
          body: { ...request, stream: isStream, user: purpose },
          signal,
        },
        read,
      ),
    )
  }

  return {
    complete: (asked) =>
      call(asked, false, async (response) => {
        const { status, headers, body } = await readOwnJson(response)
        if (status !== 200) throw refusal(status, body)
        return readReply(String(headers['x-request-id']), body)
      }),
    stream: (asked, onText) => call(asked, true, (response) => collect(response, onText)),
    async check(groupId, model) {
      gateway()
      await checkModel(groupId, model)
    },
  }
}

async function collect(response: IncomingMessage, onText: (piece: string) => void): Promise<ModelReply> {
  if (response.statusCode !== 200) {
    const { status, body } = await readOwnJson(response)
    throw refusal(status, body)
  }
  return readStream(String(response.headers['x-request-id']), response, ({ text }) => {
    if (text !== '') onText(text)
  })
}
