import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '#kernel/log'
import { createRandom, disguise, randomStatement } from '#test/random-sql'
import { startTestServer } from '#test/server'
import { createCorpusDatabase } from '#test/sql-corpus'
import { createClassifier } from '../../src/sql/classify/create-classifier.ts'
import { startAttack, type Attack } from './attack.ts'
import { prepare } from './prepare.ts'
import { splitScript } from './split.ts'

const usage = `npm run sql:regress -- [options]
  --from FOLDER      scripts (*.sql, at any depth) whose statements are sent under a read-only policy, for example
                     src/test/regress/sql of PostgreSQL or test/sql of github.com/pganalyze/libpg_query
  --random MINUTES   random statements for so long
  --seed N           of the random statements (default: now)

Fails if a row, a catalog entry, a setting, a role, a file or the session changed.`

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    help: { type: 'boolean', default: false },
  },
})

function readScripts(folder: string): string[] {
  const files = globSync('**/*.sql', { cwd: folder }).toSorted()
  const statements = files.flatMap((file) => splitScript(readFileSync(join(folder, file), 'utf8')))
  console.log(`${files.length} scripts, ${statements.length} statements`)
  return statements
}

async function sendAll(attack: Attack, statements: string[]): Promise<void> {
  for (const [index, sql] of statements.entries()) {
    await attack.send(sql)
    if (index % 2000 === 1999) await attack.check()
  }
  await attack.check()
}

async function sendRandom(attack: Attack, minutes: number, seed: number): Promise<void> {
  const random = createRandom(seed)
  console.log(`random statements from seed ${seed}`)
  const end = Date.now() + minutes * 60_000
  for (let count = 1; Date.now() < end; count += 1) {
    await attack.send(disguise(randomStatement(random), random))
    if (count % 5000 === 0) await attack.check()
  }
  await attack.check()
}

function report({ counts, slowest }: Attack): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${total} statements, nothing changed\n\n| Outcome | Statements |\n|---|---|`)
  for (const [outcome, count] of [...counts].toSorted((a, b) => b[1] - a[1]))
    console.log(`| ${outcome} | ${count} |`)
  console.log(`\nslowest: ${Math.round(slowest.ms)} ms, ${slowest.sql.slice(0, 120)}`)
}

async function main(): Promise<void> {
  const server = await startTestServer()
  const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
  const database = await createCorpusDatabase()
  try {
    const statements = values.from === undefined ? [] : readScripts(values.from)
    console.log(`${await prepare(database, classifier, statements)} of them built what the others need`)
    const attack = await startAttack(database, classifier)
    await sendAll(attack, statements)
    if (values.random !== undefined) await sendRandom(attack, Number(values.random), Number(values.seed))
    report(attack)
  } finally {
    await database.close()
    await classifier.close()
    await server.stop()
  }
}

if (values.help || (values.from === undefined && values.random === undefined)) console.log(usage)
else await main()
