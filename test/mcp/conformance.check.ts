import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startProduct } from '#test/product'
import { npx } from './npx.ts'

/**
 * The official conformance suite, which npx fetches. It cannot send a key, so that a server in front adds it. Its other
 * scenarios call tools, prompts and resources of a sample server by their names, or are about what we do not offer:
 * logging, completion, sampling, elicitation, prompts and subscriptions.
 */
const suite = '@modelcontextprotocol/conformance@0.1.16'
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'dns-rebinding-protection',
]

const { url, key } = await startProduct()
const { hostname, port } = new URL(url)
const front = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
  const { method, url: path } = incoming
  const sent = request({ hostname, port, method, path, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  incoming.pipe(sent)
})
front.listen(0, '127.0.0.1')
await once(front, 'listening')
after(() => front.close())
const address = `http://localhost:${(front.address() as AddressInfo).port}/mcp`

for (const scenario of scenarios)
  test(`conformance: ${scenario}`, async () => {
    const { code, output } = await npx([suite, 'server', '--url', address, '--scenario', scenario])
    assert.equal(code, 0, output)
  })
