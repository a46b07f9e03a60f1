import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { loadConfig } from '#kernel/config'
import { createLog } from '#kernel/log'
import type * as Main from '#main'
import { createTestDatabase } from '#test/database'
import { rememberOwner } from '#test/owner'
import { call, temporaryFolder } from '#test/product'
import { wallViolations } from '../architecture/walls.ts'
import { until } from '../../src/search/testing-search.ts'
import { copyWithSamplePart } from './copy.ts'
import { partFiles } from './files.ts'

/**
 * What a new part needs: its folders, one entry in src/main.ts and one in web/features.ts. Everything here works on a
 * copy of the product with nothing else changed.
 */

const copy = copyWithSamplePart()

async function run(program: string, ...args: string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  // As in test/run/checks.ts: the compiler collects garbage less often.
  const env = { ...inherited, GOGC: '400' }
  const command = [join(copy, program), ...args]
  return promisify(execFile)(process.execPath, command, { cwd: copy, env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) =>
      assert.fail(`${program}:\n${stdout}${stderr}`),
  )
}

test('the part keeps the walls without a line in the table', () => {
  assert.deepEqual(wallViolations(new Map(Object.entries(partFiles))), [])
})

test('the server and the dashboard type-check with the part', async () => {
  await run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded')
  await run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'web')
})

test('the server serves its route, runs its job and finds its document', async () => {
  const { createSignalbox } = (await import(pathToFileURL(join(copy, 'src/main.ts')).href)) as typeof Main
  const environment = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryFolder(), RUNTIME: 'builtin' }
  const log = await createLog({ level: 'silent', form: 'json' })
  const target = await createTestDatabase()
  const signalbox = await createSignalbox(loadConfig(environment), log, target)
  after(() => signalbox.stop())
  const first = await signalbox.firstStart()
  const key = first.firstKey?.reveal() ?? ''
  const url = await signalbox.start()
  rememberOwner(url, first)
  const note = { id: 'n1', text: 'The heating plant burns wood pellets' }

  assert.deepEqual((await call(url, '/api/v1/notes', { key })).json, { data: [] })
  assert.equal((await call(url, '/api/v1/notes', { json: note })).status, 202)
  await until(async () => (await call(url, '/api/v1/notes', { key })).json.data.length > 0)
  assert.deepEqual((await call(url, '/api/v1/notes', { key })).json, { data: [note] })

  const search = () =>
    call(url, '/api/v1/search', { key, json: { query: 'pellets for the heating', kinds: ['note'] } })
  await until(async () => (await search()).json.results.length > 0)
  const [found] = (await search()).json.results
  assert.deepEqual([found.kind, found.id, found.url], ['note', 'n1', '/notes'])
})

test('the command line has its command', async () => {
  assert.equal(await run('src/cli/main.js', 'notes'), 'notes are here\n')
})

test('the dashboard is built with its page', async () => {
  await run('node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn')
  const assets = join(copy, 'web/dist/assets')
  // The product has pages of notes too.
  const pages = readdirSync(assets).filter((file) => /^notes-page-.*\.js$/.test(file))
  const isSample = (file: string): boolean =>
    readFileSync(join(assets, file), 'utf8').includes('A page that only this test has')
  assert.equal(pages.filter(isSample).length, 1, 'the page is a chunk of its own')
  const entry = readdirSync(assets).filter((file) => /^index-.*\.js$/.test(file))
  assert.ok(entry.some((file) => readFileSync(join(assets, file), 'utf8').includes('/notes')))
})
