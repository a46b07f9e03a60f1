/**
 * Every hostile value in every place: too long for every run of the tests. `npm run audit:security`
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { fuzz } from './fuzz.ts'

const server = await startAudited()

test('every hostile value in every parameter of every route gets a success or our error', async () => {
  const { sent, places, findings } = await fuzz(server, Infinity, 1)
  console.log(`${sent} requests to ${places} places`)
  assert.deepEqual(findings, [])
})
