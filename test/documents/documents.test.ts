import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { ownerTokenOf } from '#test/owner'
import { blocksOf, type Block } from './blocks.ts'
import { checkRun, clientRuns } from './clients.ts'
import { problemOf } from './known.ts'
import { prepare } from './prepare.ts'
import { readersFolder, runBlock } from './run-blocks.ts'
import { commandsOf, type ShellCommand } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
const shell = pages.flatMap(blocksOf).filter(({ language }) => language === 'sh')

const server = await startGateway()
const token = ownerTokenOf(server.url) ?? ''
const folder = readersFolder(token)
const isRun = ({ runBy }: { runBy: string }): boolean => runBy === 'npm test'

for (const each of clientRuns.filter(isRun))
  test(`docs/clients/${each.page}: ${each.file} as it is on the page gets its reply and is in the usage log`, () =>
    checkRun(server, each, (source) => runBlock(folder, each.file, source, { SIGNALBOX_KEY: server.key })))

/** Through a proxy of the operator: `npm run deploy:try`. */
const isElsewhere = ({ words }: ShellCommand): boolean => words.includes('--resolve')

/** Without the commands that are not of this server, which the next test looks at. */
function callsOf({ text }: Block): string | undefined {
  const commands = commandsOf(text).filter(
    (each) => each.words.length === 0 || (each.words[0] === 'curl' && !isElsewhere(each)),
  )
  if (!commands.some(({ words }) => words[0] === 'curl')) return undefined
  return commands.map((each) => each.text.replaceAll(/http:\/\/127\.0\.0\.1:800\d/g, server.url)).join('\n')
}

for (const block of shell.filter(({ file }) => file === undefined)) {
  const calls = callsOf(block)
  if (calls !== undefined)
    test(`${block.page}:${block.line}: the calls of the page work`, async () => {
      const variables = {
        ...Object.fromEntries(['URL', 'SIGNALBOX', 'SIGNALBOX_URL'].map((name) => [name, server.url])),
        ...Object.fromEntries(['KEY', 'SIGNALBOX_KEY'].map((name) => [name, server.key])),
        ...{ TOKEN: token, COMMIT: '9fceb02d0ae598e95dc970b74767f19372d61af8', RUN_ID: '4711' },
        ...(await prepare(server, calls)),
      }
      await runBlock(folder, 'calls.sh', calls, variables)
    })
}

test('every command of the documentation exists and takes the options that a page gives it', async () => {
  const inline = pages.flatMap((page) =>
    readFileSync(join(root, page), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [
          ...line.matchAll(/`((?:npx )?signalbox [a-z][^`]*|npm (?:run|test|start|ci|pack|install)[^`]*)`/g),
        ].map(([, text = '']) => ({ page, line: index + 1, text })),
      ),
  )
  const asked = [...shell.filter(({ file }) => file === undefined), ...inline]
  assert.ok(asked.length > 150, `${asked.length} commands`)
  const problems = []
  for (const { page, line, text } of asked)
    for (const command of commandsOf(text)) {
      const problem = await problemOf(command)
      if (problem !== undefined) problems.push(`${page}:${line} ${command.text}: ${problem}`)
    }
  assert.deepEqual(problems, [])
})

/** Served, and left out of the API document: docs/decisions/015-api-document.md. */
const undocumented = new Set([
  'GET /v1/responses',
  'PATCH /providers/key/{}',
  'PATCH /providers/accounts/{}',
  'DELETE /providers/accounts/{}',
])

test('every route that the documentation names exists', async () => {
  const { paths } = (await server.call('/openapi.json')).json as { paths: Record<string, object> }
  const plain = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+/g, '{}')
  const known = new Set([
    ...undocumented,
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${plain(path)}`),
    ),
  ])
  const route =
    /`(?<methods>(?:(?:GET|POST|PUT|PATCH|DELETE)(?:\\?\|)?)+) (?<path>\/(?:api|v1|providers|mcp)(?:[\w./:-]|\{[^}]*\})*)/g
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(route)].flatMap(({ groups = {} }) =>
      (groups['methods'] ?? '')
        .split(/\\?\|/)
        .map((method) => ({ page, name: `${method} ${groups['path']}` })),
    ),
  )
  assert.ok(named.length > 100, `${named.length} routes`)
  assert.deepEqual(
    named.filter(({ name }) => !known.has(plain(name))).map(({ page, name }) => `${page}: ${name}`),
    [],
  )
})
