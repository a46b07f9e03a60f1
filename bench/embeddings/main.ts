import { parseArgs } from 'node:util'
import { writeToPage } from '../performance-page.ts'
import { measureBuiltin } from './builtin.ts'
import { measureMemory } from './memory.ts'
import { measureThroughRuntime } from './through-runtime.ts'

const usage = `npm run bench:embeddings -- [options]
  --texts N    texts of the run that watches the memory (default 1000000)
  --write      put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else await bench(Math.max(10_000, Number(values.texts) || 1_000_000))

async function bench(texts: number): Promise<void> {
  // First, so that nothing but its own work lies in the memory.
  const memory = await measureMemory(texts)
  const speed = measureBuiltin(15)
  const runtime = await measureThroughRuntime(8)
  const whole = (value: number): string => Math.round(value).toLocaleString('en')
  const growth = memory.last - memory.early
  const rows = [
    ['built-in model, texts a second of one core', whole(speed), '≥ 5,000', speed >= 5_000],
    [
      `texts out of place, ${runtime.callers} callers with 2,048 each over two runtimes, ${runtime.maxAtOnce} batches at once in each`,
      String(runtime.outOfPlace),
      '0',
      runtime.outOfPlace === 0,
    ],
    ['the same, texts a second (the fake runtimes share the cores)', whole(runtime.perSecond), '', null],
    [
      `resident memory over ${whole(memory.texts)} texts: first tenth, most after it, at the end`,
      `${whole(memory.early)}, ${whole(memory.most)}, ${whole(memory.last)} MB`,
      '< 20 MB more at the end',
      growth < 20,
    ],
    ['the same, texts a second by the clock, queue and thread included', whole(memory.perSecond), '', null],
  ] as const
  const table = [
    '| Number | Found | Promise | |',
    '|---|---|---|---|',
    ...rows.map(
      ([name, found, promise, isMet]) =>
        `| ${name} | ${found} | ${promise} | ${isMet === null ? '' : isMet ? 'met' : '**missed**'} |`,
    ),
  ].join('\n')
  console.log(table)
  if (values.write) writeToPage('embeddings', table)
}
