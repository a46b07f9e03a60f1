import { parseArgs } from 'node:util'
import { killRounds } from './kill-rounds.ts'
import { outage } from './outage.ts'
import { isGood } from './verdict.ts'

const usage = `npm run bench:ledger -- [options]
  --rounds N            rounds of load and kill -9 (default 100, at most 500; 0 leaves them out)
  --outage-seconds N    how long the database is unavailable under load (default 60, at most 600; 0 leaves it out)`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    'outage-seconds': { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
})

const bounded = (text: string, most: number): number =>
  Math.min(most, Math.max(0, Math.trunc(Number(text)) || 0))

async function bench(rounds: number, seconds: number): Promise<boolean> {
  let isAllGood = true
  if (rounds > 0) {
    const verdict = await killRounds(rounds, (round, requests) => {
      if (round % 10 === 0) console.log(`round ${round}: ${requests} requests so far`)
    })
    console.log('kill -9:', verdict)
    isAllGood &&= isGood(verdict)
  }
  if (seconds > 0) {
    const verdict = await outage(seconds)
    console.log('database outage:', verdict)
    isAllGood &&= isGood(verdict) && verdict.failed === 0
  }
  return isAllGood
}

if (values.help) console.log(usage)
else
  process.exitCode = (await bench(bounded(values.rounds, 500), bounded(values['outage-seconds'], 600)))
    ? 0
    : 1
