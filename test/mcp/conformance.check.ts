import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startProduct } from '#test/product'

/**
 * The official conformance suite, which npx fetches. Its other scenarios call tools, prompts and resources of a sample
 * server. It cannot send a key, so that a server in front adds it.
 */
const suite = '@modelcontextprotocol/conformance@0.1.16'
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

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
    const args = ['--yes', '--prefer-offline', suite, 'server', '--url', address, '--scenario', scenario]
    const child = spawn('npx', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 0, output)
  })
