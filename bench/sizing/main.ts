import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from '../performance-page.ts'
import { startProduct, type Product } from '../usage-scale/product.ts'
import { measureDisk } from './disk.ts'
import { measureMemory } from './memory.ts'
import { measureParts, measureVariants } from './shrink.ts'
import { watchVacuum } from './vacuum.ts'

const usage = `npm run bench:sizing -- [scene …] [options]
  memory         connections and resident memory: idle, under load, per open stream
  disk           bytes per event, request, health check and transcript message; how an old day of events could shrink
  vacuum         dead rows and size of a large table whose old rows are deleted
  --rows N       of vacuum (default 10000000: takes 3 GB)
  --requests N   of disk, spread over 90 days (default 200000)
  --kind TEXT    of disk: only those with this in their name`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '10000000' },
    requests: { type: 'string', default: '200000' },
    kind: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

const neededBytes = 10e9
const whole = (value: number): string => Math.round(value).toLocaleString('en')

async function memory(folder: string): Promise<string> {
  await using running = new AsyncDisposableStack()
  const streams = 500
  const product = await startProduct(join(folder, 'memory'), { MAX_STREAMS_PER_PERSON: String(streams) })
  running.defer(product.stop)
  const found = await measureMemory(product, streams)
  return markdownTable(
    ['server process', 'measured'],
    [
      ['resident memory, idle', `${whole(found.idle)} MB`],
      ['resident memory, at most, while events are stored', `${whole(found.loaded)} MB`],
      [`per open stream (${found.streams} opened)`, `${whole(found.perStream)} KB`],
      [
        'connections to the database, idle; while events are stored',
        `${found.connections.idle}; ${found.connections.loaded}`,
      ],
    ],
  )
}

async function disk(folder: string): Promise<string> {
  await using running = new AsyncDisposableStack()
  const product = await startProduct(join(folder, 'disk'))
  running.defer(product.stop)
  const sizes = await measureDisk(product, Number(values.requests) || 200_000, values.kind)
  const ofEvents = sizes.find(({ what }) => what === 'console events')
  return [
    markdownTable(
      ['a million', 'rows measured', 'table', 'indexes', 'beside', 'rows beside', 'together'],
      sizes.map(({ what, rows, table, indexes, beside, rowsBeside }) => [
        what,
        whole(rows),
        ...[table, indexes, beside].map((bytes) => `${whole(bytes)} MB`),
        whole(rowsBeside),
        `${whole(table + indexes + beside)} MB`,
      ]),
    ),
    ...(ofEvents ? await describeEvents(product, ofEvents.rows) : []),
  ].join('\n\n')
}

async function describeEvents({ database: { pool } }: Product, events: number): Promise<string[]> {
  const parts = await measureParts(pool, events)
  const variants = await measureVariants(pool, events)
  return [
    markdownTable(
      ['part of an event', 'bytes'],
      parts.map(([name, bytes]) => [name, whole(bytes)]),
    ),
    markdownTable(
      ['an old day of events', 'table', 'indexes', 'together, bytes per event'],
      variants.map(({ what, table, indexes }) => [
        what,
        whole(table),
        whole(indexes),
        whole(table + indexes),
      ]),
    ),
  ]
}

async function vacuum(folder: string): Promise<string> {
  await using running = new AsyncDisposableStack()
  const product = await startProduct(join(folder, 'vacuum'))
  running.defer(product.stop)
  const looks = await watchVacuum(product, Math.max(20_000, Number(values.rows) || 10_000_000))
  return markdownTable(
    ['records.health_checks', 'rows', 'dead rows', 'size', 'took'],
    looks.map(({ when, rows, dead, megabytes, seconds }) => [
      when,
      whole(rows),
      whole(dead),
      `${whole(megabytes)} MB`,
      `${whole(seconds)} s`,
    ]),
  )
}

const scenes: Record<string, (folder: string) => Promise<string>> = { memory, disk, vacuum }

async function bench(): Promise<void> {
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < neededBytes)
    throw new Error(
      `${tmpdir()} has less than ${neededBytes / 1e9} GB of space. Set TMPDIR to another folder.`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-sizing-'))
  try {
    for (const [name, scene] of Object.entries(scenes)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      console.log(`${await scene(folder)}\n`)
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.help) console.log(usage)
else await bench()
