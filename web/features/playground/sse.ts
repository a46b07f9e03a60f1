/** The data of each server-sent event. An event that the end of the stream cuts off is dropped, as the standard asks. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      // A carriage return at the very end may be the first half of a line break.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && data.length > 0) {
          yield data.join('\n')
          data = []
        }
      }
      if (done) return
    }
  } finally {
    // Whoever stops reading also ends the call.
    await reader.cancel().catch(() => undefined)
  }
}
