import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseArgs } from 'node:util'
import { createLog } from '#kernel/log'
import { createRandom, disguise, randomStatement } from '#test/random-sql'
import { startTestRun } from '#test/server'
import { createClassifier } from '../../src/sql/classify/create-classifier.ts'
import { startAttack, type Attack } from './attack.ts'
import { findBuilding } from './building.ts'
import { splitScript } from './split.ts'

const usage = `npm run sql:regress -- [options]
  --from FOLDER      scripts (*.sql, at any depth) whose statements are sent under a read-only policy, for example
                     src/test/regress/sql of PostgreSQL or test/sql of github.com/pganalyze/libpg_query
  --random MINUTES   random statements for so long
  --seed N           of the random statements (default: now)

Fails if a row, a catalog entry, a setting, a role, a file or the session changed, or if the server fails.`

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    help: { type: 'boolean', default: false },
  },
})

/** Statements that are sent together. */
const atOnce = 8

function readScripts(folder: string): string[] {
  const files = globSync('**/*.sql', { cwd: folder }).toSorted()
  const statements = files.flatMap((file) => splitScript(readFileSync(join(folder, file), 'utf8')))
  console.log(`${files.length} scripts, ${statements.length} statements`)
  return statements
}

async function sendScripts(attack: Attack, statements: string[]): Promise<void> {
  const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
  const building = await findBuilding(classifier, statements)
  await classifier.close()
  console.log(`${await attack.build(building)} of them built what the others may harm`)
  await attack.begin()
  for (let index = 0; index < statements.length; index += atOnce) {
    await Promise.all(statements.slice(index, index + atOnce).map((sql) => attack.send(sql)))
    if (index % 2000 > 0) continue
    await attack.check()
    console.log(`${index} statements, nothing changed`)
  }
  await attack.check()
}

async function sendRandom(attack: Attack, minutes: number, seed: number): Promise<void> {
  const random = createRandom(seed)
  console.log(`random statements from seed ${seed}`)
  await attack.begin()
  const end = Date.now() + minutes * 60_000
  for (let count = 0; Date.now() < end; count += atOnce) {
    const next = (): string => disguise(randomStatement(random), random)
    await Promise.all(Array.from({ length: atOnce }, () => attack.send(next())))
    if (count % 4000 === 0) await attack.check()
  }
  await attack.check()
}

function report({ counts, failures, slowest }: Attack): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${total} statements, nothing changed\n\n| Outcome | Statements |\n|---|---|`)
  for (const [outcome, count] of [...counts].toSorted((a, b) => b[1] - a[1]))
    console.log(`| ${outcome} | ${count} |`)
  console.log(`\nslowest: ${Math.round(slowest.ms)} ms, ${slowest.sql.slice(0, 120)}`)
  counts.clear()
  if (failures.length > 0) throw new Error(failures.slice(0, 10).join('\n'))
}

if (values.help || (values.from === undefined && values.random === undefined)) console.log(usage)
else {
  const server = await startTestRun()
  // Hooks run in their order, and the product drops the database.
  const open: Attack[] = []
  after(async () => open[0]?.close())
  const attack = await startAttack()
  open.push(attack)
  after(() => server.stop())
  const { from, random } = values
  if (from !== undefined)
    test('statements of scripts change nothing', async () => {
      await sendScripts(attack, readScripts(from))
      report(attack)
    })
  if (random !== undefined)
    test('random statements change nothing', async () => {
      await sendRandom(attack, Number(random), Number(values.seed))
      report(attack)
    })
}
