import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { circles, partCircles } from './architecture/circles.ts'
import { mayNameProviders, mayUseTimers } from './architecture/exemptions.ts'
import { importsOf } from './architecture/imports.ts'
import { knownCircles, knownUpwardImports, knownWallViolations } from './architecture/known.ts'
import { needlessExemptions, providerNames } from './architecture/names.ts'
import { roomViolations } from './architecture/rooms.ts'
import { needlessAllowances, sleepingTests } from './architecture/sleeps.ts'
import { calculated, code, isTest, parse, readSources } from './architecture/source.ts'
import { kernelMay, wallViolations } from './architecture/walls.ts'

/** The rules themselves are tried in architecture/planted.test.ts, each on a violation made for it. */

const root = join(import.meta.dirname, '..')
const product = readSources(`{src,web}/**/${code}`)
const everything = new Map([...product, ...readSources(`{test,bench,scripts}/**/${code}`)])

const withoutLines = (violations: string[]): string[] =>
  violations.map((each) => each.replace(/:\d+ /, ' ').replace(/ \(.*/, ''))

/** A failed wall says what to do. */
function assertNone(found: readonly unknown[], known: readonly unknown[], advice: string): void {
  assert.deepEqual(found, known, `${advice}\nFound: ${JSON.stringify(found, null, 2)}`)
}

test('the check sees the code', () => {
  const edges = importsOf(product)
  assert.ok(product.size > 700, `${product.size} files`)
  assert.ok(edges.length > 2_500, `${edges.length} imports`)
  const lost = edges.filter(({ to }) => /^(src|web)\/[^*]*\.[cm]?[jt]sx?$/.test(to) && !everything.has(to))
  assert.deepEqual(lost, [])
  const sees = (from: string, specifier: string): boolean =>
    edges.some((edge) => edge.from === from && edge.specifier === specifier)
  assert.ok(sees('src/access/index.ts', '#kernel/auth'))
  assert.ok(sees('web/main.tsx', './router.ts'))
})

test('no file is a link to another, which would lead past the walls', () => {
  const entries = globSync('{src,web,test,bench,scripts}/**', {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'node_modules' || entry.name === 'dist',
  })
  assert.ok(entries.length > 1_000, `${entries.length} entries`)
  assert.deepEqual(
    entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name),
    [],
  )
})

test('every import says where it leads; only the command line looks for its commands', () => {
  const files = [...product].filter(([file, text]) =>
    parse(file, text).imports.some(({ specifier }) => specifier === calculated && !isTest(file)),
  )
  assert.deepEqual(
    files.map(([file]) => file),
    ['src/cli/find-commands.ts'],
  )
})

test('every folder of the kernel has a line in the table of its layers', () => {
  const parts = globSync('src/kernel/*/', { cwd: root }).map((path) => path.split('/')[2] ?? '')
  assert.deepEqual(Object.keys(kernelMay).toSorted(), parts.toSorted())
})

test('no import passes a wall: features by their doors, the dashboard by contracts, pages by their doors', () => {
  assertNone(
    withoutLines(wallViolations(product)),
    knownWallViolations,
    'Import another part through its door (#part, #part/contract), and name it in the table of test/architecture/walls.ts. The dashboard imports contracts only; what two pages share belongs in web/ui or web/api.',
  )
})

test('no files import each other in a circle', () => {
  assertNone(
    circles(everything),
    knownCircles,
    'Move what both files need into a third one, or hand it in as an argument.',
  )
})

test('no parts import each other in a circle', () => {
  assertNone(
    partCircles(product),
    [],
    'What two parts need of each other is handed in by src/main.ts, goes through events, or belongs to a third part.',
  )
})

test('within the gateway no room imports from a room above it', () => {
  assertNone(
    withoutLines(roomViolations(product)),
    knownUpwardImports,
    'A room of the gateway imports only from rooms below it (test/architecture/rooms.ts): move the code down, or hand it in from above.',
  )
})

test('nothing outside gateway/providers names a provider', () => {
  const advice =
    'Take the name from the registry of providers. Where it is an example or the name of an API format, add the file with its reason to test/architecture/exemptions.ts; remove exemptions that nothing needs.'
  assertNone(providerNames(product, mayNameProviders), [], advice)
  assertNone(needlessExemptions(product, mayNameProviders), [], advice)
})

test('tests wait for the thing itself, not for a time', () => {
  const advice =
    'Wait for the thing itself with waitFor of test/harness/wait.ts. A test whose subject is time gets a line with its reason in test/architecture/exemptions.ts.'
  assertNone(sleepingTests(everything, mayUseTimers), [], advice)
  assertNone(needlessAllowances(everything, mayUseTimers), [], advice)
})

test('only kernel/config reads the environment', () => {
  const files = [...product].filter(([file]) => file.startsWith('src/') && !isTest(file))
  const readers = files.filter(([, text]) =>
    /process\??\.env|process\[|\} = process\b|['"](node:)?process['"]/.test(text),
  )
  assert.deepEqual(
    readers.map(([file]) => file),
    ['src/kernel/config/environment.ts'],
  )
})

test('no file has more than 500 lines, and the median stays small', () => {
  const lengths = [...everything]
    .filter(([file]) => !file.startsWith('bench/'))
    .map(([file, text]) => ({ file, lines: text.split('\n').length }))
  assert.deepEqual(
    lengths.filter(({ lines }) => lines > 500),
    [],
  )
  const sorted = lengths.map(({ lines }) => lines).toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  assert.ok(median > 0 && median <= 110, `median ${median}`)
})

test('nothing is a drawer for odds and ends', () => {
  assert.deepEqual(
    [...everything.keys()].filter((path) => /(^|[/-])(utils?|helpers?|common|misc)([./-]|$)/.test(path)),
    [],
  )
})
