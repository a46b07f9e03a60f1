import type { Fault } from '#kernel/errors'
import { noBytes, PassthroughReader, type StreamFormat, type Verdict } from '../../passthrough/reader.ts'
import type { ChatExchange, PassthroughRequest, Usage } from '../../provider.ts'
import { objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { SseParser, type SseEvent } from '../../wire/sse.ts'
import { errorFault } from './fault.ts'
import { parseMessage } from './response.ts'
import { mergeUsage, toUsage } from './usage.ts'

/** A Messages request: its bytes and betas are sent as they came, and so are the bytes of the response. */
export function passMessages({ raw, headers }: PassthroughRequest): ChatExchange {
  return {
    path: '/v1/messages',
    headers: headersFor(headers ?? {}),
    body: raw,
    dropped: [],
    response: (bytes) => ({ body: bytes, usage: toUsage(mergeUsage(null, parseMessage(bytes)['usage'])) }),
    stream: () => new PassthroughReader(new MessagesFormat()),
  }
}

/**
 * Clients send the newest version that they know, which refuses settings that the first one takes. So it is left out,
 * and the first one is sent, unless a beta is as new as the version: an older version does not have it.
 */
function headersFor(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'anthropic-version': version = '', ...rest } = headers
  const betas = (rest['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim())
  const isNeeded = betas.some((beta) => (/\d{4}-\d{2}-\d{2}$/.exec(beta)?.[0] ?? '') >= version)
  return version !== '' && isNeeded ? { ...rest, 'anthropic-version': version } : rest
}

/** The model's text cannot look like this: inside a string the quotes are escaped. */
const relevant = /"type"\s*:\s*"(?:message_start|message_delta|message_stop|error)"/

class MessagesFormat implements StreamFormat {
  readonly provider = 'Anthropic'
  #report: JsonObject | null = null
  #isStopped = false

  get usage(): Usage | null {
    return toUsage(this.#report)
  }

  find(events: string): number {
    return events.search(relevant)
  }

  read({ data }: SseEvent): Verdict {
    const event = objectOf(parseJson(data))
    const { type } = event
    if (type === 'message_start') this.#report = mergeUsage(this.#report, objectOf(event['message'])['usage'])
    else if (type === 'message_delta') this.#report = mergeUsage(this.#report, event['usage'])
    else if (type === 'message_stop') this.#isStopped = true
    return this.errorIn(event) ?? 'keep'
  }

  errorIn(body: JsonObject): Fault | undefined {
    return body['type'] === 'error' ? errorFault(body) : undefined
  }

  textIn(events: string): string {
    return new SseParser()
      .push(Buffer.from(events, 'latin1'))
      .map(({ data }) => objectOf(objectOf(parseJson(data))['delta']))
      .map((delta) => stringOf(delta['text']) + stringOf(delta['thinking']) + stringOf(delta['partial_json']))
      .join('')
  }

  ending(): Uint8Array | undefined {
    return this.#isStopped ? noBytes : undefined
  }
}
