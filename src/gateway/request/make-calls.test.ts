import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCalls, type CallDeps } from './make-calls.ts'
import type { ReadyCall } from './ready-call.ts'
import type { Story } from './story.ts'
import type { Turns } from '../routing/turns.ts'

test('a call that could not be announced is not counted as running for ever', async () => {
  let running = 0
  const health = { began: () => running++, ended: () => running-- }
  const header = (): never => {
    throw new Error('Invalid character in header content')
  }
  const story = { reply: { header }, log: { entry: {}, outcome: {} }, trail: [], calls: 0, plan: {} }
  const target = { name: 'gpt-6-sol', model: 'gpt-6-sol', route: { provider: { id: 'openai' } } }
  const ready = { turn: { target, key: { id: 'key' } }, exchange: { dropped: [] } }
  const deps = { health, routingMetrics: { called: () => undefined } }
  const turns = { spend: () => undefined }
  await assert.rejects(
    makeCalls(
      deps as unknown as CallDeps,
      story as unknown as Story,
      turns as unknown as Turns,
      ready as unknown as ReadyCall,
    ),
    /Invalid character/,
  )
  assert.equal(running, 0)
})
