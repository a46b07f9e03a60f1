import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'
import { listen, newInitiative, turnOver } from './testing-standup.ts'

const server = await startGateway({ STANDUP_MODEL: exampleModels.anthropic, RUNTIME: 'builtin' })
const { fake } = server

test('while a stand-up ends its process says so again and again: one that dies is missed within seconds', async () => {
  const client = new pg.Client(clientConfig(server.target))
  await client.connect()
  const initiative = await newInitiative(server)
  fake.script('anthropic', { text: 'Hello.' })
  const listener = await listen(server, initiative.standup)
  await turnOver(listener, 1)
  fake.script('anthropic', { text: 'Noted.' })
  await initiative.say('We keep guests.')
  await turnOver(listener, 2)

  fake.script('anthropic', { text: 'A summary.', headersAfterMs: 6_000 })
  const ending = initiative.end()
  const until = async (): Promise<{ at: Date; seconds: number } | undefined> => {
    const { rows } = await client.query(
      `select work_until as at, extract(epoch from work_until - now())::float8 as seconds
      from standups.sessions where initiative_id = $1 and work = 'end'`,
      [initiative.id],
    )
    return rows[0]
  }
  const first = await waitFor('the end to begin', until)
  assert.ok(first.seconds <= 15, String(first.seconds))
  await waitFor('the time to be renewed', async () => ((await until())?.at ?? first.at) > first.at)
  const { status, json } = await ending
  assert.deepEqual([status, json.artifacts.length], [200, 1])
  await client.end()
})
