import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import type { ClassificationFault, Kind } from './classification.ts'
import { createClassifier } from './create-classifier.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const classifier = createClassifier({ log })
after(() => classifier.close())

/** The reason of the fault, or the number of statements. */
async function outcomeOf(sql: string, kind: Kind = 'execute'): Promise<string> {
  return classifier.classify(sql, kind).then(
    (statements) => `${statements.length} read`,
    (error: unknown) => (error as ClassificationFault).reason,
  )
}

const chain = (terms: number): string => `SELECT ${Array<string>(terms).fill('1').join('+')}`
const nested = (levels: number): string => `SELECT ${'('.repeat(levels)}1${')'.repeat(levels)}`
const unions = (count: number): string => Array<string>(count).fill('SELECT 1').join(' UNION ')

const inputs: [name: string, sql: string, kind: Kind, outcomes: string[]][] = [
  ['a character NUL', 'SELECT 1\0; DELETE FROM t', 'execute', ['refused_text']],
  ['half of a surrogate pair', "SELECT '\ud800'", 'execute', ['refused_text']],
  ['70 KB', `SELECT '${'x'.repeat(70_000)}'`, 'execute', ['refused_text']],
  ['64 KB in characters of three bytes', `SELECT '${'€'.repeat(30_000)}'`, 'execute', ['refused_text']],
  ['more than 1 MB', `SELECT '${'x'.repeat(1_100_000)}'`, 'migrate', ['refused_text']],
  ['a comment bomb', `SELECT 1 ${'/*'.repeat(30_000)}`, 'execute', ['refused_text']],
  [
    'a comment bomb that ends',
    `${'/*'.repeat(15_000)}${'*/'.repeat(15_000)}SELECT 1`,
    'execute',
    ['refused_text'],
  ],
  ['a large comment bomb', '/*'.repeat(500_000), 'migrate', ['refused_text']],
  ['20,000 nested brackets', nested(20_000), 'execute', ['syntax', 'refused_text']],
  ['30,000 terms', chain(30_000), 'execute', ['1 read', 'refused_text', 'parser_timeout']],
  ['400,000 terms', chain(400_000), 'migrate', ['refused_text', 'parser_timeout']],
  ['6,000 unions', unions(6_000), 'execute', ['1 read', 'refused_text', 'parser_timeout']],
  ['100,000 statements', 'SELECT 1;'.repeat(100_000), 'migrate', ['100000 read', 'parser_timeout']],
  ['an open string', "SELECT '", 'execute', ['syntax']],
  ['an open dollar quote', 'SELECT $a$', 'execute', ['syntax']],
  ['only semicolons', ';;;', 'execute', ['0 read']],
  ['nothing', '', 'execute', ['0 read']],
  ['only space', ' \n\t', 'execute', ['0 read']],
]

test('hostile text is refused within its time, and the next statement is read as always', async () => {
  await outcomeOf('SELECT 1')
  for (const [name, sql, kind, outcomes] of inputs) {
    const start = performance.now()
    const outcome = await outcomeOf(sql, kind)
    const took = performance.now() - start
    assert.ok(outcomes.includes(outcome), `${name}: ${outcome}`)
    assert.ok(took < 8_000, `${name}: ${took} ms`)
    assert.equal(await outcomeOf('SELECT 1'), '1 read', name)
  }
})

test('texts that break the parser, one after the other, leave it whole', async () => {
  const deep = chain(32_000)
  for (let count = 0; count < 4; count += 1) await outcomeOf(deep)
  assert.equal(await outcomeOf('SELECT 1'), '1 read')
})

test('comments in quotes do not count as nested', async () => {
  const globs = Array.from({ length: 300 }, (_, index) => `'/tmp/${index}/*'`).join(', ')
  assert.equal(await outcomeOf(`SELECT ${globs}, "/*", $a$ /* $a$, E'\\'/*'`), '1 read')
})

test('a text that is slow to read ends at the limit', async () => {
  const hurried = createClassifier({ log, threads: 1, limitMs: { execute: 1, migrate: 1 } })
  const slow = hurried.classify('SELECT 1;'.repeat(50_000), 'migrate')
  await assert.rejects(slow, { reason: 'parser_timeout', status: 403 })
  await hurried.close()
})

test('calls wait for a thread, and are refused when too many wait', async () => {
  const small = createClassifier({ log, threads: 1, maxWaiting: 5 })
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => small.classify('SELECT 1', 'execute')),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    [...Array<string>(6).fill('fulfilled'), ...Array<string>(4).fill('rejected')],
  )
  await small.close()
})

test('a syntax error has the position of the character at fault', async () => {
  const sql = "SELECT '😀é' frm bad t"
  await assert.rejects(classifier.classify(sql, 'execute'), {
    reason: 'syntax',
    code: 'sql_error',
    status: 400,
    sqlstate: '42601',
    position: sql.indexOf('bad'),
  })
})
