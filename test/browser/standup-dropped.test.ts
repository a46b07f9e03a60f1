import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { startBrowser, visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { rememberOwner } from '../harness/owner.ts'
import { waitFor } from '../harness/wait.ts'

const wire = 'anthropic'
const server = await startGateway({ STANDUP_MODEL: exampleModels[wire], RUNTIME: 'builtin' })
const { fake, call } = server
const browser = await startBrowser()

/** A network between browser and server that can be cut: every connection breaks, and no new one is made. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const network = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  network.listen(0, '127.0.0.1')
  await once(network, 'listening')
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    cut()
    network.close()
  })
  return {
    url: `http://127.0.0.1:${(network.address() as AddressInfo).port}`,
    cut,
    restore: () => void (isCut = false),
  }
}

test('a page whose connection drops resumes behind its last event and shows every word once', async () => {
  const network = await startNetwork(Number(new URL(server.url).port))
  rememberOwner(network.url, server.first)
  const { json: initiative } = await call('/api/initiatives', { json: { title: 'Dropped' } })
  const words = Array.from({ length: 1_000 }, (_, number) => `w${number}.`)
  fake.script(wire, { text: words.join(' '), chunkEveryMs: 20 })
  const { page } = await visit(browser, `${network.url}/initiatives/${initiative.slug}/standup`)
  const resumed: string[] = []
  page.on('request', (request) => {
    const id = request.headers()['last-event-id']
    if (id !== undefined) resumed.push(id)
  })
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const speech = page.getByRole('article', { name: 'Agent' })
  const shown = async (): Promise<string[]> => (await speech.textContent())?.match(/w\d+\./g) ?? []
  await waitFor('the first words', async () => (await shown()).length > 5)

  network.cut()
  await page.getByText('Reconnecting…').waitFor()
  const before = await shown()
  assert.deepEqual(before, words.slice(0, before.length))
  // The agent keeps working meanwhile.
  await waitFor('words that the page missed', async () => (await said(initiative.id)) > before.length + 20)
  assert.deepEqual(await shown(), before)

  network.restore()
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
  await waitFor('the words of meanwhile', async () => (await shown()).length > before.length + 20)
  assert.equal(await speech.getAttribute('aria-busy'), 'true')
  const later = await shown()
  assert.deepEqual(later, words.slice(0, later.length))
  const { json } = await call(`/api/initiatives/${initiative.id}/standup`)
  const ids = (json.session.events as { id: number }[]).map(({ id }) => id)
  assert.ok(
    resumed.length > 0 && resumed.every((id) => ids.includes(Number(id))),
    'an event that the page had',
  )

  await page.getByRole('button', { name: 'Stop the agent' }).click()
  await page.getByText('The agent was interrupted here.').waitFor()
  const all = await shown()
  assert.deepEqual(all, words.slice(0, all.length))
})

/** How many words the agent has said. */
async function said(initiativeId: string): Promise<number> {
  const { json } = await call(`/api/initiatives/${initiativeId}/standup`)
  const events = json.session.events as { type: string; content?: string }[]
  const pieces = events.flatMap(({ type, content = '' }) => (type === 'delta' ? [content] : []))
  return pieces.join('').match(/w\d+\./g)?.length ?? 0
}
