import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestRun } from '../harness/server.ts'
import { mutantParts, mutants } from './list.ts'
import { copyTree, runTests, tryMutant, whyNotApplicable, type Mutant } from './mutant.ts'

/**
 * Breaks every guard of the list, one at a time, and fails when the tests named for it do not notice. `--part` chooses
 * files of the list, and words choose the guards whose description contains one of them.
 */
const root = join(import.meta.dirname, '../..')
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', multiple: true } },
})
const unknown = values.part?.filter((name) => !(name in mutantParts)) ?? []
const inParts = values.part?.flatMap((name) => mutantParts[name] ?? []) ?? mutants
const chosen = inParts.filter(({ guard }) => words.length === 0 || words.some((word) => guard.includes(word)))

const unsound = { failed: 'its tests fail without it', none: 'no test has the name that it gives' }
const problems = unknown.map((name) => `no part "${name}"; there are ${Object.keys(mutantParts).join(', ')}`)
problems.push(...chosen.flatMap((mutant) => whyNotApplicable(root, mutant) ?? []))
if (chosen.length === 0 && unknown.length === 0) problems.push('no guard has these words')
if (problems.length === 0) problems.push(...(await runAll(chosen)))
for (const problem of problems) console.log(`✖ ${problem}`)
console.log(`\n${chosen.length} mutants, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function runAll(list: readonly Mutant[]): Promise<string[]> {
  const server = await startTestRun()
  const { folder, remove } = copyTree(root)
  const found: string[] = []
  // A test that fails anyway would seem to kill every mutant.
  const before = new Map<string, Awaited<ReturnType<typeof runTests>>>()
  for (const mutant of list) {
    const tests = [...mutant.tests, mutant.name].join(' ')
    const unbroken = before.get(tests) ?? (await runTests(folder, mutant))
    before.set(tests, unbroken)
    const verdict = unbroken === 'passed' ? await tryMutant(folder, mutant) : unsound[unbroken]
    if (verdict === 'killed') console.log(`✔ ${mutant.guard}`)
    else found.push(`${mutant.guard}: ${verdict} (${mutant.file})`)
  }
  remove()
  await server.stop()
  return found
}
