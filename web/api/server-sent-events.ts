import { createParser } from 'eventsource-parser'

/** The data of each server-sent event. An event that the end of the stream cuts off is dropped. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  // Read by hand, not through the package's TransformStream: a pipe cancels the call only some time later.
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      const complete = events
      events = []
      yield* complete
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
