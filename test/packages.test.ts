import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'

/** What each package.json is for is in docs/decisions/001-dependencies.md. */

const root = join(import.meta.dirname, '..')

function listed(file: string, ...fields: string[]): string[] {
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, object | undefined>
  return fields.flatMap((field) => Object.keys(manifest[field] ?? {}))
}

const product = listed('package.json', 'dependencies', 'optionalDependencies')
const build = listed('package.json', 'devDependencies')
const tests = listed('test/packages/package.json', 'devDependencies')

const isTest = (file: string): boolean => /\.test\.tsx?$|(?:^|\/)testing[^/]*\.ts$/.test(file)
const files = globSync('{src,web,test,bench,scripts}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: ['web/dist/**', '**/node_modules/**'],
})

/** Names of the packages that a file loads; types are gone when it runs. */
function packagesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s(?!type\b)(?:[\w*{}\s,$]+\sfrom\s)?['"]([^'"\n]+)['"]|import\(['"]([^'"\n]+)['"]\)/gm,
  )
  return [...found]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
}

test('the server loads only packages that an installation without development packages has', () => {
  // Brought by the user who wants an ONNX model: `models pull` names the command.
  const allowed = new Set([...product, 'onnxruntime-node'])
  const sources = files.filter((file) => file.startsWith('src/') && !isTest(file))
  assert.ok(sources.length > 500 && sources.some((file) => packagesIn(file).includes('fastify')))
  assert.deepEqual(
    sources.flatMap((file) =>
      packagesIn(file)
        .filter((name) => !allowed.has(name))
        .map((name) => `${file}: ${name}`),
    ),
    [],
  )
})

test('the dashboard is built without the packages of the tests', () => {
  // Its imports are code that the page shows.
  const shown = 'web/features/home/start/snippets.ts'
  const pages = files.filter((file) => file.startsWith('web/') && file !== shown && !isTest(file))
  assert.deepEqual(
    pages.flatMap((file) =>
      packagesIn(file)
        .filter((name) => ![...product, ...build].includes(name))
        .map((name) => `${file}: ${name}`),
    ),
    [],
  )
})

test('every package of the tests is used by one', () => {
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  // Run by its name, found by oxlint, and imported by the program that the typed client compiles.
  const programs = ['@redocly/cli', 'oxlint-tsgolint', 'openapi-fetch']
  assert.deepEqual(
    tests.filter((name) => !programs.includes(name) && !RegExp(`['"/]${name}['"/]`).test(text)),
    [],
  )
})
