import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from './server-sent-events.ts'

const streamOf = (pieces: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })

async function eventsOf(...pieces: (string | Uint8Array)[]): Promise<string[]> {
  const events: string[] = []
  for await (const data of readEvents(streamOf(pieces))) events.push(data)
  return events
}

test('events are found wherever the pieces are cut', async () => {
  const source =
    ': keep-alive\r\n\r\nevent: x\r\ndata: {"a":"ü"}\r\n\r\ndata: one\ndata:two\n\ndata: [DONE]\r\r'
  const bytes = new TextEncoder().encode(source)
  const whole = ['{"a":"ü"}', 'one\ntwo', '[DONE]']
  assert.deepEqual(await eventsOf(bytes), whole)
  for (let cut = 1; cut < bytes.length; cut += 1)
    assert.deepEqual(await eventsOf(bytes.slice(0, cut), bytes.slice(cut)), whole, `cut at ${cut}`)
  assert.deepEqual(await eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte))), whole)
})

test('an event that was cut off is dropped', async () => {
  assert.deepEqual(await eventsOf('data: one\n\ndata: tw'), ['one'])
})

test('a reader that stops early cancels the stream', async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const data of readEvents(stream)) if (data === 'x') break
  assert.equal(isCancelled, true)
})
