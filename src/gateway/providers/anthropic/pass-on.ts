import type { ChatExchange, PassthroughRequest } from '../../provider.ts'
import { parseMessage } from './answer.ts'
import { ForwardedMessage } from './forwarded-message.ts'
import { mergeUsage, toUsage } from './usage.ts'

/** A request in Anthropic's own form: its bytes and its headers go on as they came, and so do those of the answer. */
export function passOn({ raw, headers }: PassthroughRequest): ChatExchange {
  return {
    path: '/v1/messages',
    headers: { ...headers },
    body: raw,
    dropped: [],
    response: (bytes) => ({ body: bytes, usage: toUsage(mergeUsage(null, parseMessage(bytes)['usage'])) }),
    stream: () => new ForwardedMessage(),
  }
}
