/**
 * Every hostile value in every place: too long for every run of the tests. `npm run audit:security`
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { fuzz, type Fuzzed } from './fuzz.ts'

const server = await startAudited()
const minutes = 12

test('hostile values in every parameter of every route get a success or our error', async () => {
  const { sent, total, places, findings } = await fuzz(server, { count: Infinity, minutes, report }, 1)
  console.log(`${sent} of ${total} requests to ${places} places`)
  assert.deepEqual(findings, [])
  // A slow machine may not get through all of them, but must have been everywhere several times.
  assert.ok(sent >= Math.min(total, places * 5), `only ${sent} of ${total} requests in ${minutes} minutes`)
})

function report({ sent, total, findings }: Fuzzed): void {
  console.log(`${sent} of ${total} requests, ${findings.length} findings`)
  for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`)
}
