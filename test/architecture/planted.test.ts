import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circles, partCircles } from './circles.ts'
import { needlessExemptions, providerNames } from './names.ts'
import { roomViolations } from './rooms.ts'
import { needlessAllowances, sleepingTests } from './sleeps.ts'
import { calculated, isTest, parse, type Sources } from './source.ts'
import { wallViolations } from './walls.ts'

/** A small tree that keeps every rule; each test plants one violation in it. */
const clean = {
  'src/kernel/db/index.ts': `import { log } from '#kernel/log'\nexport const db = log`,
  'src/kernel/log/index.ts': `export const log = 1`,
  'src/vault/index.ts': `export { seal } from './envelope.ts'\nimport '#kernel/db'`,
  'src/vault/envelope.ts': `export const seal = 1\nexport type Sealed = string`,
  'src/vault/contract.ts': `export const shape = 1`,
  'src/gateway/index.ts': `import { seal } from '#vault'\nimport './apis/messages/index.ts'\nexport { seal }`,
  'src/gateway/apis/messages/index.ts': `import { anthropic } from '../../providers/anthropic/index.ts'\nexport {}`,
  'src/gateway/providers/anthropic/index.ts': `export const anthropic = 'claude-'`,
  'src/gateway/provider.ts': `export interface Provider {}`,
  'src/main.ts': `import { seal } from '#vault'\nimport '#gateway'`,
  'web/features/logs/page.tsx': `import { shape } from '#vault/contract'\nimport { Button } from '../../ui/button.tsx'\nexport {}`,
  'web/features/logs/cost.tsx': `import { Page } from '../usage/index.ts'\nexport {}`,
  'web/features/usage/index.ts': `export { Page } from './page.tsx'`,
  'web/features/usage/page.tsx': `export const Page = () => null`,
  'web/ui/button.tsx': `export const Button = 1`,
}

type Check = (sources: Sources) => string[]

const planted = (file: string, text: string): Sources =>
  new Map(Object.entries({ ...clean, [file]: text }).map(([path, source]) => [path, source]))

const providersNamed: Check = (sources) =>
  providerNames(sources, { 'src/gateway/apis/messages/index.ts': 'names what it imports' })

test('the small tree keeps every rule', () => {
  for (const check of [wallViolations, circles, partCircles, roomViolations, providersNamed] as Check[])
    assert.deepEqual(check(new Map(Object.entries(clean))), [])
})

const anthropic = 'src/gateway/providers/anthropic/request.ts'
const logs = 'web/features/logs/list.tsx'
const walls: [what: string, file: string, text: string][] = [
  ['a relative import at depth', anthropic, `import { seal } from '../../../vault/envelope.ts'`],
  ['a relative import of a door', anthropic, `import { seal } from '../../../vault/index.ts'`],
  ['a relative import of a type', anthropic, `import type { Sealed } from '../../../vault/envelope.ts'`],
  ['an inline type import', anthropic, `let sealed: import('../../../vault/envelope.ts').Sealed`],
  ['an import for its side effect', anthropic, `import '../../../vault/envelope.ts'`],
  ['an import on demand', anthropic, `await import('../../../vault/envelope.ts')`],
  ['a re-export', anthropic, `export { seal } from '../../../vault/envelope.ts'`],
  ['a re-export of everything', anthropic, `export * from '../../../vault/envelope.ts'`],
  ['the address of a worker', anthropic, `new URL('../../../vault/envelope.ts', import.meta.url)`],
  [
    'the address of a worker, in a template',
    anthropic,
    'new URL(`../../../vault/envelope.ts`, import.meta.url)',
  ],
  ['an import on demand, in a template', anthropic, 'await import(`../../../vault/envelope.ts`)'],
  ['an import on demand, put together', anthropic, 'await import(`../../../vault/${name}.ts`)'],
  ['an import on demand, by a variable', anthropic, `const path = '../../../vault/envelope.ts'`],
  ['a require', anthropic, `createRequire(import.meta.url)('../../../vault/envelope.ts')`],
  ['a require of a door', 'src/vault/keys.ts', `require('#gateway')`],
  ['an import as require', anthropic, `import vault = require('../../../vault/envelope.ts')`],
  ['a resolved address', anthropic, `import.meta.resolve('../../../vault/envelope.ts')`],
  ['a path from the folder', anthropic, `join(import.meta.dirname, '../../../vault/envelope.ts')`],
  ['an encoded import', anthropic, `import './%2e%2e/../../vault/envelope.ts'`],
  ['an absolute import', anthropic, `import 'file:///srv/src/vault/envelope.ts'`],
  ['an absolute import in a page', logs, `import { Page } from '/features/usage/page.tsx'`],
  ['an import with a query', logs, `import { Page } from '../usage/page.tsx?raw'`],
  ['a glob in a page', logs, `import.meta.glob(['../usage/*.tsx'])`],
  ['a file that is not .ts', 'src/vault/keys.mts', `import '#gateway'`],
  ['a relative import without extension', anthropic, `import { seal } from '../../../vault/envelope'`],
  ['a folder behind a door', 'src/usage/ledger.ts', `import '#gateway/apis'`],
  ['a part that has no line in the table', 'src/notes/index.ts', `import '#vault'`],
  ['the kernel that knows a part', 'src/kernel/db/index.ts', `import '#vault'`],
  ['a door the table does not allow', 'src/vault/keys.ts', `import '#gateway'`],
  ['a feature that imports the program', 'src/vault/keys.ts', `import '../main.ts'`],
  ['the program past a door', 'src/main.ts', `import { seal } from './vault/envelope.ts'`],
  ['a kernel part past a door', 'src/kernel/log/file.ts', `import '../db/index.ts'`],
  ['a kernel part above', 'src/kernel/log/file.ts', `import '#kernel/db'`],
  ['test code in the product', 'src/vault/keys.ts', `import './testing.ts'`],
  ['the harness in the product', 'src/vault/keys.ts', `import '#test/vault'`],
  ['a test past the door of another feature', 'src/vault/x.test.ts', `import '../gateway/provider.ts'`],
  ['the dashboard in the server', 'src/vault/keys.ts', `import '../../web/ui/button.tsx'`],
  ['the server in a page, relative', logs, `import { seal } from '../../../src/vault/envelope.ts'`],
  ['a contract in a page, relative', logs, `import { shape } from '../../../src/vault/contract.ts'`],
  ["the server's door in a page", logs, `import { seal } from '#vault'`],
  ['the kernel in a page', logs, `import { db } from '#kernel/db'`],
  ['a page in another', logs, `import { Page } from '../usage/page.tsx'`],
  ['a page in another, on demand', logs, `const page = () => import('../usage/page.tsx')`],
  ['a page in the shared parts', 'web/ui/button.tsx', `import { Page } from '../features/usage/page.tsx'`],
]

for (const [what, file, text] of walls) {
  test(`a wall is reported: ${what}`, () => {
    const found = wallViolations(planted(file, text))
    assert.equal(found.length, 1, found.join('\n'))
    assert.ok(found[0]?.startsWith(`${file}:1 -> `), found[0])
  })
}

test('an import whose address is not written out is seen', () => {
  const [put] = parse('src/vault/keys.ts', `await import(part + '/envelope.ts')`).imports
  assert.deepEqual(put, { specifier: calculated, line: 1 })
})

test('a circle is reported, by relative imports, by doors and by types', () => {
  const direct = planted('src/vault/envelope.ts', `import './index.ts'`)
  assert.deepEqual(circles(direct), ['src/vault/envelope.ts <-> src/vault/index.ts'])
  const byDoor = planted('src/vault/envelope.ts', `import type { seal } from '#vault'`)
  assert.deepEqual(circles(byDoor), ['src/vault/envelope.ts <-> src/vault/index.ts'])
  const inWeb = planted('web/ui/button.tsx', `export type { Button as B } from './button.tsx'`)
  assert.deepEqual(circles(inWeb), ['web/ui/button.tsx'])
})

test('a circle is reported in the dashboard, where the end of a name may be left out or be that of the JavaScript', () => {
  for (const specifier of ['./button', './button.js', './button.jsx', './button.tsx?x'])
    assert.deepEqual(circles(planted('web/ui/button.tsx', `import '${specifier}'`)), ['web/ui/button.tsx'])
  assert.deepEqual(circles(planted('web/ui/index.tsx', `import '.'`)), ['web/ui/index.tsx'])
})

test('a long circle is reported once, with all its files', () => {
  const tree = new Map([
    ['src/a/1.ts', `import './2.ts'`],
    ['src/a/2.ts', `import './3.ts'\nimport './4.ts'`],
    ['src/a/3.ts', `import './1.ts'`],
    ['src/a/4.ts', ``],
  ])
  assert.deepEqual(circles(tree), ['src/a/1.ts <-> src/a/2.ts <-> src/a/3.ts'])
})

test('a circle of parts is reported where no files form one, also by types, contracts and over a third part', () => {
  const direct = planted('src/vault/names.ts', `import type { seal } from '#gateway'`)
  assert.deepEqual(circles(direct), [])
  assert.deepEqual(partCircles(direct), ['src/gateway <-> src/vault'])
  const overThird = new Map([
    ...planted('src/vault/contract.ts', `import '#records/contract'`),
    ['src/records/contract.ts', `export const shape = 1`],
    ['src/records/probe.ts', `import '#gateway'`],
  ])
  assert.deepEqual(partCircles(overThird), ['src/gateway <-> src/records <-> src/vault'])
  assert.deepEqual(partCircles(planted('src/vault/keys.test.ts', `import '#gateway'`)), [])
})

test('an import upwards between the rooms of the gateway is reported', () => {
  const upward = planted(anthropic, `import type { Message } from '../../apis/messages/index.ts'`)
  assert.deepEqual(roomViolations(upward), [`${anthropic}:1 -> ../../apis/messages/index.ts (upwards)`])
  const contract = planted('src/gateway/contract.ts', `import type { Provider } from './provider.ts'`)
  assert.deepEqual(roomViolations(contract), ['src/gateway/contract.ts:1 -> ./provider.ts (upwards)'])
  const byDoor = planted(anthropic, `import { seal } from '#gateway'`)
  assert.deepEqual(roomViolations(byDoor), [`${anthropic}:1 -> #gateway (upwards)`])
})

test('a file of the gateway outside every room is reported', () => {
  assert.deepEqual(roomViolations(planted('src/gateway/odd.ts', '')), [
    'src/gateway/odd.ts belongs to no room',
  ])
})

const named: [text: string, name: string][] = [
  [`if (provider === 'anthropic') price()`, 'anthropic'],
  [`const prices = { openai: 1 }`, 'openai'],
  ['const isFast = /^gpt-5/.test(model)', 'gpt-'],
  ['const model = `claude-${version}`', 'claude'],
  [`const GEMINI_BASE_URL = 1`, 'GEMINI'],
  ['const provider = `\\u0061nthropic`', 'anthropic'],
  [`import sdk from '@anthropic-ai/sdk'`, 'anthropic'],
  [`const isLarge = model === 'gpt4'`, 'gpt'],
  [`const name = 'Open AI'`, 'Open AI'],
  [`if (key.startsWith('sk-ant-')) price()`, 'sk-ant-'],
  [`const model = 'o3-mini'`, 'o3-mini'],
]

for (const [text, name] of named) {
  test(`a provider's name is reported: ${text}`, () => {
    for (const file of ['src/usage/prices.ts', 'web/features/usage/prices.ts'])
      assert.deepEqual(providersNamed(planted(file, text)), [`${file}:1 names ${name}`])
  })
}

test("a file named after a provider is reported, and an import of ours that has a provider's name is not", () => {
  assert.deepEqual(providersNamed(planted('src/usage/openai.ts', '')), ['src/usage/openai.ts:1 names openai'])
  assert.deepEqual(providersNamed(planted('src/usage/prices.ts', `import './openai.ts'`)), [])
})

test('a comment may name a provider, and a needless exemption is reported', () => {
  const tree = planted('src/usage/prices.ts', `// As Anthropic counts them.\nexport const one = 1`)
  assert.deepEqual(providersNamed(tree), [])
  assert.deepEqual(needlessExemptions(tree, { 'src/usage/prices.ts': 'none' }), ['src/usage/prices.ts'])
})

for (const text of [
  `await new Promise((resolve) => setTimeout(resolve, 300))`,
  `import { setTimeout as rest } from 'node:timers/promises'`,
  `await sleep(1_000)`,
  `import { setTimeout as rest } from 'timers/promises'`,
  `import timers from 'node:timers'`,
  `await new Promise((resolve) => globalThis.setTimeout(resolve, 300))`,
  `await promisify(setTimeout)(300)`,
  `await page.waitForTimeout(300)`,
  `Atomics.wait(cell, 0, 0, 300)`,
  `const { setTimeout: rest } = require('node:timers/promises')`,
  `await sql('select pg_sleep(1)')`,
  `execSync('sleep 1')`,
]) {
  test(`a test that sleeps is reported: ${text}`, () => {
    for (const file of ['src/vault/keys.test.ts', 'src/vault/testing.ts', 'test/harness/x.ts'])
      assert.equal(sleepingTests(planted(file, text), {}).length, 1)
    assert.deepEqual(sleepingTests(planted('src/vault/keys.ts', text), {}), [])
  })
}

test('an allowance that no timer needs is reported', () => {
  const tree = planted('src/vault/keys.test.ts', `await waitFor('it', () => true)`)
  assert.deepEqual(needlessAllowances(tree, { 'src/vault/keys.test.ts': '' }), ['src/vault/keys.test.ts'])
})

test('tests are told from the product by their names', () => {
  assert.ok(
    isTest('src/vault/keys.test.ts') &&
      isTest('src/usage/ledger/testing-rows.ts') &&
      isTest('src/x.test.mts'),
  )
  assert.ok(!isTest('src/vault/keys.ts') && !isTest('src/usage/latest-ing.ts'))
})
