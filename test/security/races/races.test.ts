import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { race } from './races.ts'

const server = await startAudited()

test('a lost race is an error of ours, and nothing comes back after its deletion', async () => {
  const { resources, collections, findings } = await race(server)
  assert.deepEqual(findings, [])
  assert.ok(resources.length > 15 && collections.length > 4, `${resources.length}, ${collections.length}`)
})
