import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { startProduct, temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { mainPath, session, userLine } from './scene.ts'

test('the server follows the sessions of its own machine: an appended line is found within 2 seconds', async () => {
  const home = temporaryFolder()
  const file = join(home, '.claude', mainPath)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${record('the totals are off')}\n`)
  const server = await startProduct({ TRANSCRIPTS_DIR: home, TRANSCRIPTS_MACHINE: 'workstation' })
  const hits = async (word: string): Promise<number> =>
    (await server.call(`/api/transcripts/search?q=${word}`)).json.data.length as number
  await waitFor('the first message', () => hits('totals'))
  const started = Date.now()
  appendFileSync(file, `${record('rounding is to blame')}\n`)
  await waitFor('the second message', () => hits('rounding'))
  assert.ok(Date.now() - started < 2_000)
  const { data } = (await server.call('/api/transcripts/watchers')).json as { data: { machine: string }[] }
  assert.deepEqual(
    data.map(({ machine }) => machine),
    ['workstation'],
  )
})

function record(text: string): string {
  return JSON.stringify({
    ...(JSON.parse(userLine(text)) as object),
    sessionId: session,
    promptSource: 'typed',
  })
}
