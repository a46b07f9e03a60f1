import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { startProcess } from './child-process.ts'

test('what the process of a run has compiled is there for the next one, though it ends by a kill', async () => {
  const folder = temporaryFolder()
  const runId = randomUUID()
  const child = startProcess(runId, { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: folder })
  child.send({
    type: 'start',
    runId,
    ...{ gateway: 'http://127.0.0.1:1', key: 'none', model: 'none', systemPrompt: '', request: 'Go.' },
    ...{ mode: 'default', environment: null, memory: null, decision: null },
    // It cannot be started, which ends the run before anything is asked.
    servers: [{ name: 'none', command: 'no-such-command', args: [], env: {}, isPlatform: false }],
  })
  const said: string[] = []
  for await (const { type } of child.messages()) said.push(type)
  await child.end()
  assert.deepEqual(said, ['failed'])
  // One file where the product is a bundle, one for each module in a checkout.
  assert.ok(globSync('*/*', { cwd: folder }).length > 0)
})
