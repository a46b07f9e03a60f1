import { parseArgs } from 'node:util'
import { isGood, killRuns } from './kills.ts'
import { measureMemory } from './memory.ts'

const usage = `npm run bench:agents -- [kills] [memory] [options]    Linux only
  kills      runs whose processes, and whose server, are killed at random; checks that nothing is left
  memory     20 runs at once; the memory of each kind of process
  --runs N   runs of kills (default 200, at most 1000)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '200' }, help: { type: 'boolean', default: false } },
})
const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name)
const memoryRuns = 20

async function bench(runs: number): Promise<boolean> {
  let isAllGood = true
  if (isChosen('kills')) {
    const verdict = await killRuns(runs, (line) => console.error(line))
    console.log('kills:', verdict)
    isAllGood &&= isGood(verdict) && verdict.started === runs
  }
  if (isChosen('memory')) {
    const { rows, completed } = await measureMemory(memoryRuns)
    console.table(rows)
    console.log(`${completed} of ${memoryRuns} runs completed`)
    isAllGood &&= completed === memoryRuns
  }
  return isAllGood
}

if (values.help) console.log(usage)
else process.exitCode = (await bench(Math.min(1_000, Math.max(1, Number(values.runs) || 1)))) ? 0 : 1
