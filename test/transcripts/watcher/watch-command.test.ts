import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { collect, runCommand, spawnCommand } from '#test/process'
import { startProduct, temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { mainPath, session, userLine } from './scene.ts'

const server = await startProduct()
const home = temporaryFolder()
const file = join(home, '.claude', mainPath)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${record('the totals are off')}\n`)

function record(text: string): string {
  return JSON.stringify({
    ...(JSON.parse(userLine(text)) as object),
    sessionId: session,
    promptSource: 'typed',
  })
}

const environment = { SIGNALBOX_API_KEY: server.key, TRANSCRIPTS_DIR: home, TRANSCRIPTS_MACHINE: 'laptop' }

async function messages(): Promise<string[]> {
  const { data } = (await server.call('/api/transcripts')).json as { data: { id: string }[] }
  const id = data[0]?.id
  if (id === undefined) return []
  const page = (await server.call(`/api/transcripts/${id}`)).json as { messages: { content: string }[] }
  return page.messages.map(({ content }) => content)
}

test('signalbox watch --once sends what is there and exits; a second run sends nothing twice', async () => {
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await runCommand(['watch', '--to', server.url, '--once'], environment)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /1 files are up to date/)
  }
  assert.deepEqual(await messages(), ['the totals are off'])
  const { json } = await server.call('/api/transcripts')
  assert.equal(json.data[0].machine, 'laptop')
})

test('signalbox watch sends lines as they come, and ends with Ctrl-C', async () => {
  const child = spawnCommand(['watch', '--to', server.url], environment)
  const output = collect(child)
  await waitFor('the first pass', () => output().includes('up to date'))
  appendFileSync(file, `${record('and by one cent')}\n`)
  await waitFor('the second message', async () => (await messages()).length === 2)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await ended, [0, null])
  const watchers = (await server.call('/api/transcripts/watchers')).json as { data: { machine: string }[] }
  assert.ok(watchers.data.some(({ machine }) => machine === 'laptop'))
})

test('signalbox watch refuses plainly: no address, no key, a wrong key, http elsewhere', async () => {
  const cases: [args: string[], environment: Record<string, string>, code: number, text: RegExp][] = [
    [[], {}, 2, /Give the address of the server/],
    [['--to', server.url], { SIGNALBOX_API_KEY: '' }, 2, /Set SIGNALBOX_API_KEY/],
    [['--to', 'http://signalbox.example.com'], {}, 2, /must be an https address/],
    [['--to', server.url], { SIGNALBOX_API_KEY: 'sb-wrong' }, 1, /does not accept the key/],
    [['--to', server.url, '--key-file', join(home, 'nothing')], {}, 1, /cannot be read/],
  ]
  for (const [args, more, code, text] of cases) {
    const result = await runCommand(['watch', ...args, '--once'], { ...environment, ...more })
    assert.equal(result.code, code, result.stderr)
    assert.match(result.stderr, text)
  }
})
