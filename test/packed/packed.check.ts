/**
 * The packed product, as a user installs it: `npm pack` here, `npm install FILE` in an empty folder, then everything by
 * `npx signalbox` from there. Installing takes a minute, so it is `npm run pack:check` and not part of `npm test`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { exampleModels, keyOf } from '#test/gateway'
import { collect, environmentOf } from '#test/process'
import { call, temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { writeSamples } from '../transcripts/write-samples.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryFolder()
const empty = join(folder, 'empty')
const home = join(folder, 'home')
const fake = await startFakeProvider()
after(() => fake.close())

// The newest Node comes first on the path of the tests; a user has the one of the machine.
const path = (process.env['PATH'] ?? '')
  .split(':')
  .filter((entry) => !entry.startsWith(root))
  .join(':')
const environment = {
  ...environmentOf({ ...fake.baseUrls, OPENAI_API_KEY: keyOf('openai'), PORT: '0', RUNTIME: 'builtin' }),
  PATH: path,
}
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', env: { ...process.env, PATH: path } })

mkdirSync(empty)
npm(root, 'pack', '--pack-destination', folder)
const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
npm(empty, 'install', '--prefer-offline', '--no-audit', '--no-fund', file)

/** A command of the installed product. It is ended together with the processes of npx. */
function npx(args: string[], more: Record<string, string> = {}) {
  const child = spawn('npx', ['signalbox', ...args], {
    cwd: empty,
    env: { ...environment, ...more },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const ended = once(child, 'exit')
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  after(end)
  return { output, end, code: async () => ((await ended) as [number | null])[0] }
}

const server = npx([])
const url = await waitFor('the server to be ready', () => /is ready at (http\S+)/.exec(server.output())?.[1])
const token = /\/\?token=(\S+)/.exec(server.output())?.[1] ?? ''
const key = /sb-[A-Za-z0-9_-]{20,}/.exec(server.output())?.[0] ?? ''
const asOwner = (path: string, json?: unknown) =>
  call(url, path, { headers: { 'x-owner-token': token }, ...(json === undefined ? {} : { json }) })

test('npx signalbox starts the product, with its dashboard, in the folder where it is called', async () => {
  assert.ok(existsSync(join(empty, 'data/owner.token')))
  const page = await fetch(url)
  assert.equal(page.status, 200)
  const script = /src="(\/assets\/[^"]+)"/.exec(await page.text())?.[1]
  assert.equal((await fetch(`${url}${script}`)).status, 200)
  assert.equal((await fetch(`${url}/api-reference.js`)).status, 200)
})

test('a request, the threads of the server, and the process of a run work', async () => {
  const model = exampleModels.openai
  fake.script('openai', { text: 'Packed.' })
  const answer = await call(url, '/v1/chat/completions', {
    key,
    json: { model, messages: [{ role: 'user', content: 'Are you packed?' }] },
  })
  assert.equal(answer.json.choices[0].message.content, 'Packed.')
  const vector = await call(url, '/api/v1/embed', { key, json: { text: 'a signal box' } })
  assert.equal(vector.json.embedding.length, 768)
  const judged = await asOwner('/api/v1/sql/explain-policy', { database: 'application', sql: 'select 1' })
  assert.equal(judged.status, 200, judged.text)
  const created = await asOwner('/api/agents', { id: 'packed', name: 'packed', model })
  assert.equal(created.status, 201, created.text)
  fake.script('openai', { text: 'Ran.' })
  const run = await asOwner('/api/agents/packed/ask', { request: 'Go.' })
  assert.deepEqual([run.json.status, run.json.response], ['completed', 'Ran.'], run.text)
})

test('npx signalbox watch sends the sessions of a machine without a checkout', async () => {
  writeSamples(home)
  const watch = npx(['watch', '--to', url, '--once', home], { SIGNALBOX_API_KEY: key })
  assert.equal(await watch.code(), 0, watch.output())
  const { json } = await asOwner('/api/transcripts')
  assert.ok(json.data.length > 0, watch.output())
})

test('the package has the version of package.json and no TypeScript of its own', () => {
  const own = join(empty, 'node_modules/signalbox')
  const { version } = JSON.parse(npm(root, 'pkg', 'get', '--json', 'name', 'version')) as { version: string }
  assert.match(
    execFileSync('npx', ['signalbox', 'version'], { cwd: empty, encoding: 'utf8' }),
    RegExp(version),
  )
  assert.deepEqual(
    readdirSync(join(own, 'lib'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    ),
    [],
  )
  assert.deepEqual(
    readdirSync(own)
      .filter((name) => name !== 'node_modules')
      .toSorted(),
    [
      ...['CHANGELOG.md', 'README.md', 'SECURITY.md', 'bin', 'deploy', 'docs', 'lib', 'migrations', 'models'],
      ...['package.json', 'web'],
    ],
  )
})
