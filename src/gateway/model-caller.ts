import { z } from 'zod'
import { Fault, faults } from '#kernel/errors'
import { callOwnRoute, type Http } from '#kernel/http'
import type { Secret } from '#kernel/log'

/** How other parts of Signalbox ask a model. */
export interface ModelCaller {
  /**
   * One chat completion through the gateway, as a client of the group would get it: with the group's provider keys,
   * metered, and in the usage log under the key `Signalbox`. Rejects with the Fault that a client would see.
   */
  complete(call: ModelCall): Promise<ModelReply>
}

export interface ModelCall {
  groupId: string
  /** What the call is for: the `user` of its log entry. */
  purpose: string
  /** Groups calls in the usage log, which then shows their cost. */
  session?: string
  /** A request of the Chat Completions API; it is not streamed. */
  request: { model: string; messages: readonly object[]; [field: string]: unknown }
  signal?: AbortSignal
}

export interface ModelReply {
  requestId: string
  /** Null when the model only called tools. */
  text: string | null
  /** The message as it has to be sent back with the results of its tools. */
  message: Readonly<Record<string, unknown>>
  toolCalls: readonly { id: string; name: string; arguments: string }[]
  /** Such as `stop`, `length` or `tool_calls`. */
  finishReason: string | null
}

export interface ModelCallerDeps {
  /** Undefined while no routes are registered: the process does not run the gateway. */
  http(): Http | undefined
  /** A key of the group that ends with the call. */
  withKey<T>(groupId: string, scope: 'gateway', call: (key: Secret) => Promise<T>): Promise<T>
}

export function createModelCaller({ http, withKey }: ModelCallerDeps): ModelCaller {
  return {
    async complete({ groupId, purpose, session, request, signal }) {
      const app = http()
      if (!app)
        throw new Fault(faults.unavailable, 'This process does not run the gateway. Add gateway to ROLES.')
      const { status, headers, body } = await withKey(groupId, 'gateway', (key) =>
        callOwnRoute(app, {
          path: '/v1/chat/completions',
          headers: {
            authorization: `Bearer ${key.reveal()}`,
            ...(session !== undefined && { 'x-signalbox-session': session }),
          },
          body: { ...request, stream: false, user: purpose },
          signal,
        }),
      )
      if (status !== 200) throw refusal(status, body)
      return readReply(String(headers['x-request-id']), body)
    },
  }
}

const error = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().catch('server_error'),
    param: z.string().nullable().catch(null),
    code: z.string().catch('provider_error'),
  }),
})

function refusal(status: number, body: unknown): Fault {
  const { data } = error.safeParse(body)
  if (!data) return new Fault(faults.provider, `The gateway returned ${status}.`, { status })
  const { message, type, param, code } = data.error
  return new Fault({ status, code, type }, message, { param })
}

const reply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
})

function readReply(requestId: string, body: unknown): ModelReply {
  const { data } = reply.safeParse(body)
  const choice = data?.choices[0]
  if (!choice) throw new Fault(faults.provider, 'The model returned no message.')
  const { message, finish_reason: finishReason } = choice
  return {
    requestId,
    text: message.content ?? null,
    message,
    toolCalls: (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
    finishReason: finishReason ?? null,
  }
}
