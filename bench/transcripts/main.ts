import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from '../performance-page.ts'
import { writeSamples } from '../../test/transcripts/write-samples.ts'
import { startProduct } from '../search/product.ts'
import { measureArchive } from './archive.ts'
import { killRounds } from './kill-rounds.ts'
import { measureAppend, measureIdle, measureMemory } from './watching.ts'

const usage = `npm run bench:transcripts -- [scene …] [options]
  kill              rounds of kill -9 of signalbox watch; the rows must equal those of an undisturbed import
  watch             memory of signalbox watch with a file of progress records, from append to search, idle processor time
  archive           import rate, size and search of a generated archive
  --messages N      of the archive (default 1000000)
  --rounds N        of kill (default 50)
  --megabytes N     of the file of progress records (default 2048)
  --strict          fail when a promise is not kept`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    messages: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '50' },
    megabytes: { type: 'string', default: '2048' },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

type Row = [what: string, measured: string, promised: string, verdict: string]
const met = (isMet: boolean): string => (isMet ? 'met' : 'missed')
const whole = (text: string): number => Math.max(1, Math.trunc(Number(text)) || 1)

async function kill(folder: string): Promise<Row[]> {
  await using running = new AsyncDisposableStack()
  const [killed, undisturbed] = [
    await startProduct(join(folder, 'killed')),
    await startProduct(join(folder, 'undisturbed')),
  ]
  running.defer(killed.stop)
  running.defer(undisturbed.stop)
  const home = join(folder, 'kill-home')
  writeSamples(home)
  const verdict = await killRounds({
    rounds: whole(values.rounds),
    home,
    killed,
    undisturbed,
    turnsPerRound: 200,
    report: (round) => round % 10 === 0 && console.error(`round ${round}`),
  })
  for (const each of verdict.different) console.error(each)
  const { rounds, sessions, messages, different } = verdict
  const measured = `${sessions} sessions, ${messages} messages, ${different.length} different`
  return [[`kill -9, ${rounds} rounds`, measured, '0 different', met(different.length === 0)]]
}

async function watching(folder: string): Promise<Row[]> {
  await using running = new AsyncDisposableStack()
  const product = await startProduct(join(folder, 'watched'))
  running.defer(product.stop)
  const megabytes = whole(values.megabytes)
  const { peakMegabytes, seconds, messages, stored } = await measureMemory(
    product,
    join(folder, 'home'),
    megabytes,
  )
  const { p50, slowest } = await measureAppend(product, join(folder, 'append'))
  const idle = await measureIdle(product, join(folder, 'append'))
  return [
    [
      `${megabytes} MB of progress records`,
      `${peakMegabytes} MB resident at most, ${seconds} s, ${stored} of ${messages} messages`,
      '≤ 150 MB',
      met(peakMegabytes <= 150 && stored === messages),
    ],
    ['append → found', `p50 ${p50} ms, slowest ${slowest} ms`, '≤ 2000 ms', met(slowest <= 2_000)],
    ['idle', `${idle.processorMs} ms of processor time in ${idle.seconds} s`, '', ''],
  ]
}

async function archive(folder: string): Promise<Row[]> {
  await using running = new AsyncDisposableStack()
  const product = await startProduct(join(folder, 'archive'))
  running.defer(product.stop)
  return await measureArchive(product, whole(values.messages))
}

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-transcripts-'))
  try {
    const scenes = positionals.length > 0 ? positionals : ['kill', 'watch', 'archive']
    const rows: Row[] = []
    if (scenes.includes('kill')) rows.push(...(await kill(folder)))
    if (scenes.includes('watch')) rows.push(...(await watching(folder)))
    if (scenes.includes('archive')) rows.push(...(await archive(folder)))
    console.log(markdownTable(['transcripts', 'measured', 'promised', ''], rows))
    if (values.strict && rows.some(([, , , verdict]) => verdict === 'missed')) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.help) console.log(usage)
else await bench()
