import { ApiError } from '../../api/client.ts'
import { emptyDraft, fold } from './fold.ts'
import type { ChatBody } from './request-body.ts'
import { readEvents } from '../../api/server-sent-events.ts'
import type { Draft } from './types.ts'

export interface Received {
  draft: Draft
  requestId: string | null
}

interface Call {
  groupId: string
  body: ChatBody
  signal: AbortSignal
  onReceived: (received: Received) => void
}

const unreachable = () => new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
const interrupted = () => new ApiError(502, 'provider_error', 'The response was interrupted.', null)

/** Sends the request and reports the draft after every chunk. Returns at the end of the response; throws ApiError. */
export async function send({ groupId, body, signal, onReceived }: Call): Promise<void> {
  const response = await fetch('/api/v1/gateway/playground', {
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/json',
      'content-type': 'application/json',
      'x-group-id': groupId,
    },
    body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
    signal,
  }).catch(() => {
    throw unreachable()
  })
  const requestId = response.headers.get('x-request-id')
  onReceived({ draft: emptyDraft, requestId })
  if (!response.ok || !response.body) throw await errorOf(response)
  let draft = emptyDraft
  try {
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') return
      draft = fold(draft, data)
      onReceived({ draft, requestId })
    }
  } catch (error) {
    throw error instanceof ApiError ? error : interrupted()
  }
  throw interrupted()
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { message?: string; code?: string; param?: string | null }
  }
  const { message, code, param } = body.error ?? {}
  const text = message ?? `The server returned ${response.status}.`
  return new ApiError(response.status, code ?? 'unknown', text, param ?? null)
}
