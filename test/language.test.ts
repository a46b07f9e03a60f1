import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Words that this project once used for a thing that has a common name, and the name. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/\bthe box\b/i, 'Signalbox, the server, the gateway'],
  [/reckon/i, 'calculate, price'],
  [/\bpassage/i, 'request, request log'],
  [/\bthe register\b|\bentered in\b|\bstands in the\b/i, 'logged, recorded, saved'],
  [/(?<!Postgres)dialects?\b(?!: new PostgresDialect)/i, 'API'],
  [/\bsame[- ]?wire\b|\bpass-on\b|\bpassOn\b|\bforwarded-message/i, 'passthrough'],
  [/must be a (?:text|list)\b(?! part| block)/, 'must be a string, must be an array'],
  [
    /\b(?:database|runtime|provider|server|upstream) (?:is|was|goes|being|be) (?:away|gone)\b/i,
    'unavailable',
  ],
  [/\bclient (?:left(?! it)|leaves|has left|went away|is gone)\b/i, 'client disconnected'],
  [/\bmost[A-Z]\w*/, 'max…'],
  [/\w+Wish\b|\bwish(?:es)?\b/, '…Input, …Options'],
  [/\b(?:model that ships|shipped model|small model)\b/i, 'built-in model'],
  [/\b(?:an?|add|set|as) own (?:provider|price)s?\b/i, 'custom provider, custom price'],
  [/\bby itself\b/i, 'automatically, on its own'],
  [/\banew\b/i, 'recalculate, rebuild, reload'],
  [/\b(?:is|are|was) (?:400|401|403|404|409|413|415|429|500|502|503|504)\b/, 'returns 400'],
  [/\bno request fits\b/i, 'no matching requests'],
  [/\b(?:stranded|takeover|lamp|aspect)\b/i, 'a plain name for what it is'],
]

/** Phrases that a native reader stumbles over, and better ones. */
const unusual: typeof replaced = [
  [/\bso many\b(?! large)/i, 'at most this many, or the name of the constant'],
  [/\bwhoever\b/i, 'anyone who, the caller, an admin'],
]
/** Migrations, which are not edited for their words, and parts whose comments are still to be revised. */
const unrevised = /^migrations\/|^src\/(?:standups\/agent|agents\/run\/child|mcp|analytics)/

interface Found {
  file: string
  line: number
  text: string
  say: string
}

function findReplaced(file: string, source: string): Found[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      [...replaced, ...(unrevised.test(file) ? [] : unusual)]
        .filter(([pattern]) => pattern.test(text))
        .map(([, say]) => ({ file, line: index + 1, text: text.trim().slice(0, 120), say })),
    )
}

const files = globSync(
  [
    '*.md',
    'docs/**/*.md',
    'models/**/*.md',
    'migrations/**/*.sql',
    '{src,web,bench,scripts,test}/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,sql,css,html,md}',
  ],
  {
    cwd: root,
    // A migration is not edited for the words of its comments.
    exclude: [
      'web/dist/**',
      '**/node_modules/**',
      'test/language.test.ts',
      'migrations/0004_usage_ledger.sql',
    ],
  },
)

test('the check sees the pages, the messages and the documentation', () => {
  assert.ok(files.length > 500, `${files.length} files`)
  assert.ok(files.includes('README.md') && files.some((file) => file.startsWith('web/features/')))
  for (const end of ['.tsx', '.sql', '.css', '.html'])
    assert.ok(
      files.some((file) => file.endsWith(end)),
      end,
    )
})

test('a replaced word is found', () => {
  const [found] = findReplaced('page.tsx', 'const a = 1\n// reckons the cost of the request')
  assert.equal(found?.line, 2)
  assert.equal(found.say, 'calculate, price')
})

test('one word for one thing: replaced words do not come back', () => {
  const found = files.flatMap((file) => findReplaced(file, readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(
    found.map(({ file, line, text, say }) => `${file}:${line} say ${say}: ${text}`),
    [],
  )
})
