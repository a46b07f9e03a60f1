import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startProduct, temporaryFolder } from '#test/product'
import { npx } from './npx.ts'

/**
 * Every server scenario of the official conformance suite, which npx fetches. It cannot send a key, so that a server in
 * front adds it. Those below are about what we do not offer; the suite says so when one of them passes after all.
 */
const suite = '@modelcontextprotocol/conformance@0.1.16'
const count = 32
const sampleTool = 'calls a tool of the sample server of the suite by its name'
const sampleResource = 'reads a resource of the sample server of the suite by its address'
const noPrompts = 'there are no prompts: what to do with the tools is up to the person'
const noStreams =
  'there are no sessions and no streams to come back to, which are optional; the suite only warns'
const noAsking = 'nothing is asked back over the connection: people decide in the dashboard'
const notOffered: Readonly<Record<string, string>> = {
  'tools-call-simple-text': sampleTool,
  'tools-call-image': sampleTool,
  'tools-call-audio': sampleTool,
  'tools-call-embedded-resource': sampleTool,
  'tools-call-mixed-content': sampleTool,
  'tools-call-error': sampleTool,
  'tools-call-with-progress': sampleTool,
  'json-schema-2020-12': sampleTool,
  'resources-read-text': sampleResource,
  'resources-read-binary': sampleResource,
  'resources-templates-read': sampleResource,
  'resources-subscribe': 'schemas are read when they are needed; nothing tells of their changes',
  'resources-unsubscribe': 'there is nothing to subscribe to',
  'logging-set-level': 'the protocol deprecates logging; progress says how far a call is',
  'tools-call-with-logging': 'the protocol deprecates logging; progress says how far a call is',
  'completion-complete': 'there are neither prompts nor templates with arguments to complete',
  'tools-call-sampling': 'the protocol deprecates sampling; models are called through the gateway',
  'tools-call-elicitation': noAsking,
  'elicitation-sep1034-defaults': noAsking,
  'elicitation-sep1330-enums': noAsking,
  'server-sse-polling': noStreams,
  'server-sse-multiple-streams': noStreams,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
}

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

test(`conformance: all of ${count} scenarios but ${Object.keys(notOffered).length} that are about what we do not offer`, async () => {
  const baseline = join(temporaryFolder(), 'not-offered.yml')
  writeFileSync(baseline, ['server:', ...Object.keys(notOffered).map((name) => `  - ${name}`)].join('\n'))
  const { code, output } = await npx([
    ...[suite, 'server', '--url', address, '--suite', 'all'],
    ...['--expected-failures', baseline],
  ])
  assert.equal(code, 0, output)
  assert.equal(output.match(/^[✓✗] /gm)?.length, count, output)
})
