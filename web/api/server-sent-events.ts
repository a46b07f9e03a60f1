import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** The data of each server-sent event. An event that the end of the stream cuts off is dropped. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const { messages } of readMessages(stream)) for (const { data } of messages) yield data
}

interface Received {
  /** A piece with only a comment or half a message has none. */
  messages: readonly EventSourceMessage[]
  /** The last id so far; also one that came without a message. */
  lastId: string | undefined
}

/** What each piece that arrives completes. */
export async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Received> {
  // Read by hand, not through the package's TransformStream: a pipe cancels the call only some time later.
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let messages: EventSourceMessage[] = []
  let lastId: string | undefined
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onId: (id) => (lastId = id),
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      const complete = messages
      messages = []
      yield { messages: complete, lastId }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
