/** A stand-up whose stream is read; `say` sends a message and resolves when the agent has responded. */
export async function openStandup(
  origin: string,
  headers: Record<string, string>,
): Promise<{ say(): Promise<void>; close(): void }> {
  async function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(origin + path, signal ? { ...init, signal } : init)
    if (response.ok) return response
    throw new Error(`Signalbox returned ${response.status}: ${await response.text()}`)
  }
  const { id } = (await (await post('/api/initiatives', { title: 'Path' })).json()) as { id: string }
  const standup = `/api/initiatives/${id}/standup`
  const stream = new AbortController()
  const { body } = await post(standup, {}, stream.signal)
  const turns = turnsIn(body ?? new ReadableStream())
  await turns.next()
  return {
    async say() {
      await post(`${standup}/message`, { content: 'What is next?' })
      await turns.next()
    },
    close: () => stream.abort(),
  }
}

/** Yields at the end of each turn of the agent. */
async function* turnsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of body) {
    const events = (rest + decoder.decode(piece, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) if (event.includes('"state":"finished"')) yield
  }
}
