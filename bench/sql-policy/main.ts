import { parseArgs } from 'node:util'
import { loadModule, parseSync } from 'libpg-query'
import { createLog } from '#kernel/log'
import { createClassifier } from '../../src/sql/classify/create-classifier.ts'
import { decide } from '../../src/sql/policy/decide.ts'
import type { FunctionFacts, Policy } from '../../src/sql/policy/policy.ts'

const usage = `npm run bench:sql-policy -- [options]
  --rounds N   checks of each statement (default 300)

Times the check of statements of 10 KB (reading in a thread, then deciding) against the bare parser in this
process. The two take turns, so that what else the machine does falls on both.`

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '300' }, help: { type: 'boolean', default: false } },
})

const maxMs = 5
const size = 10 * 1024

function fill(head: string, piece: (index: number) => string, separator: string): string {
  let text = head + piece(0)
  for (let index = 1; text.length < size; index += 1) text += separator + piece(index)
  return text
}

const statements = {
  'INSERT of rows': fill('INSERT INTO t (a, b, c) VALUES ', (i) => `(${i}, 'name ${i}', now())`, ', '),
  'SELECT of expressions': fill('SELECT ', (i) => `lower(a${i}) || 'x' AS c${i}`, ', '),
  'UPDATE with CASE': `${fill('UPDATE t SET a = CASE ', (i) => `WHEN id = ${i} THEN 'value ${i}'`, ' ')} END WHERE id > 0`,
}

const policy: Policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE'],
  requires_approval: [],
  environment: 'dev',
}
const fact = (name: string): FunctionFacts[] => [
  { schema: 'pg_catalog', name, volatility: 's', isSecurityDefiner: false, language: 'internal' },
]
const functions = new Map([
  ['now', fact('now')],
  ['lower', fact('lower')],
])

const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const show = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return `p50 ${quantile(sorted, 0.5).toFixed(2)} ms, p99 ${quantile(sorted, 0.99).toFixed(2)} ms`
}

async function bench(rounds: number): Promise<boolean> {
  await loadModule()
  const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
  let isGood = true
  for (const [name, sql] of Object.entries(statements)) {
    const bare: number[] = []
    const checked: number[] = []
    for (let round = -20; round < rounds; round += 1) {
      const start = performance.now()
      parseSync(sql)
      const middle = performance.now()
      const read = await classifier.classify(sql, 'migrate')
      const { decision } = decide({
        database: 'application',
        statements: read,
        policy,
        kind: 'execute',
        functions,
      })
      const end = performance.now()
      if (decision !== 'execute') throw new Error(`${name}: ${decision}`)
      if (round < 0) continue
      bare.push(middle - start)
      checked.push(end - middle)
    }
    console.log(`${name} (${sql.length} bytes): bare parser ${show(bare)}; policy check ${show(checked)}`)
    isGood &&=
      quantile(
        checked.toSorted((a, b) => a - b),
        0.5,
      ) <= maxMs
  }
  await classifier.close()
  console.log(`policy check of 10 KB, p50 ≤ ${maxMs} ms: ${isGood ? 'met' : 'MISSED'}`)
  return isGood
}

if (values.help) console.log(usage)
else process.exitCode = (await bench(Number(values.rounds))) ? 0 : 1
