/** What passes the proxies as deploy/proxy sets them up. A part of `npm run deploy:check`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { openSocket } from '#test/socket'
import { freePort } from '../harness/free-port.ts'
import { nginx, startNginx } from '../harness/nginx.ts'
import { startCaddy } from './caddy.ts'

const server = await startGateway()
const { fake, key } = server
const replica = Number(new URL(server.url).port)
const model = exampleModels.openai

const proxies = [
  {
    name: 'nginx',
    isHere: existsSync(nginx),
    start: async () => (await startNginx(await freePort(), [replica, replica])).url,
  },
  {
    name: 'caddy',
    isHere: spawnSync('caddy', ['version']).error === undefined,
    start: async () => startCaddy(await freePort(), server.url),
  },
]

const ask = (url: string, json: object): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...json }),
  })

for (const { name, isHere, start } of proxies) {
  const options = { skip: isHere ? false : `${name} is not installed` }

  test(
    `${name} passes a stream on as it comes, a WebSocket, and a body of nearly 32 MiB`,
    options,
    async () => {
      const url = await start()

      fake.script('openai', { text: 'one two three four five six', chunkEveryMs: 300 })
      const times: number[] = []
      const { body } = await ask(url, { stream: true, messages: [{ role: 'user', content: 'Hello' }] })
      assert.ok(body)
      for await (const _ of body) times.push(performance.now())
      assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) > 600, `${times.length} pieces: ${times.join(', ')}`)

      const socket = await openSocket(url, key)
      const events = await socket.ask({ model, input: 'Hello over the socket' })
      assert.equal(events.at(-1)?.['type'], 'response.completed')
      socket.socket.close()

      const large = await ask(url, { messages: [{ role: 'user', content: 'a'.repeat(33_000_000) }] })
      // Caddy ends only when every response has been read.
      const text = await large.text()
      assert.equal(large.status, 200, text.slice(0, 500))
    },
  )
}
