import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spawnProduct, type RunningProcess } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const senders = 6
const perCall = 20

interface Load {
  /** IDs of the events that were answered with 202. */
  accepted: Set<string>
  /** Statuses other than 202. */
  others: Set<number>
  over: Promise<unknown>
}

/** Clients that send events one call after the other, until the server ends. */
function sendEvents({ url }: RunningProcess, key: string): Load {
  const accepted = new Set<string>()
  const others = new Set<number>()
  const send = async (sender: number): Promise<void> => {
    for (let call = 0; ; call += 1) {
      const events = Array.from({ length: perCall }, (_, index) => ({
        type: 'deployment',
        title: `${sender}-${call}-${index}`,
      }))
      const response = await fetch(`${url}/api/console/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(events),
      })
      if (response.status !== 202) others.add(response.status)
      const { ids = [] } = (await response.json()) as { ids?: string[] }
      for (const id of ids) accepted.add(id)
    }
  }
  // A server that is gone ends each of them.
  return { accepted, others, over: Promise.allSettled(Array.from({ length: senders }, (_, id) => send(id))) }
}

async function missingOf(server: RunningProcess, key: string, ids: ReadonlySet<string>): Promise<string[]> {
  const missing = new Set(ids)
  let cursor = ''
  for (;;) {
    const { status, json, text } = await server.call(`/api/console/events?limit=500${cursor}`, { key })
    assert.equal(status, 200, text)
    for (const { id } of json.data as { id: string }[]) missing.delete(id)
    if (json.next_cursor === null || json.next_cursor === undefined) return [...missing]
    cursor = `&cursor=${encodeURIComponent(String(json.next_cursor))}`
  }
}

test('every event that was accepted is there after kill -9 and after SIGTERM, both under load', async () => {
  const DATA_DIR = temporaryFolder()
  const accepted = new Set<string>()
  let key = ''
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const server = await spawnProduct({ DATA_DIR })
    key ||= server.key ?? ''
    const load = sendEvents(server, key)
    await waitFor('events to be accepted', () => load.accepted.size >= 20 * perCall)
    const code = await server.end(signal)
    await load.over
    for (const id of load.accepted) accepted.add(id)
    // A request refused while the server stops gets a time to come back.
    assert.deepEqual(
      [...load.others].filter((status) => status !== 503),
      [],
      signal,
    )
    if (signal === 'SIGTERM') assert.equal(code, 0)
  }
  const server = await spawnProduct({ DATA_DIR })
  assert.deepEqual(await missingOf(server, key, accepted), [])
  assert.equal(await server.end(), 0)
})
