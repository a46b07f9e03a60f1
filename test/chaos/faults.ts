import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { database, ready, type House } from './house.ts'

export interface Fault {
  name: string
  /** Requests that are refused or fail in it are failures. */
  isSilent?: boolean
  /** Why it cannot be made here. */
  missing?(house: House): string | undefined
  /** Breaks something and mends it. */
  run(house: House): Promise<void>
}

const seconds = (n: number): Promise<void> => wait(n * 1_000)
const root = join(import.meta.dirname, '../..')

async function restartBoth(house: House, tree?: string): Promise<void> {
  for (const n of [0, 1]) {
    await house.replica(n).end('SIGTERM')
    await house.start(n, tree)
    await ready(house, [n])
    // Longer than nginx leaves a replica alone that refused a connection.
    await seconds(3)
  }
}

const releaseBefore = (): string | undefined => {
  const named = process.env['CHAOS_FROM']
  if (named) return named
  try {
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], {
      ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    }).trim()
  } catch {
    return undefined
  }
}

/** As many connections as PostgreSQL gives, held for a while; those of the replicas are ended first. */
async function takeAllConnections({ postgres }: House): Promise<void> {
  const held: pg.Client[] = []
  const take = async (): Promise<boolean> => {
    const client = new pg.Client(postgres.superuserUrl('postgres'))
    client.on('error', () => undefined)
    return client.connect().then(
      () => held.push(client) > 0,
      () => false,
    )
  }
  for (let taken = await take(); taken; taken = await take());
  await held[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
  const ends = Date.now() + 10_000
  while (Date.now() < ends) if (!(await take())) await wait(20)
  for (const client of held) await client.end()
}

export const faults: Fault[] = [
  { name: 'nothing', isSilent: true, run: () => seconds(10) },
  {
    name: 'kill -9 of each replica',
    async run(house) {
      for (const n of [0, 1]) {
        await house.replica(n).end('SIGKILL')
        await seconds(2)
        await house.start(n)
        await ready(house, [n])
      }
    },
  },
  {
    name: 'PostgreSQL restarted',
    async run({ postgres }) {
      await postgres.stop()
      await postgres.start()
      await seconds(5)
    },
  },
  {
    name: 'PostgreSQL away for 15 s',
    async run({ postgres }) {
      await postgres.stop()
      await seconds(15)
      await postgres.start()
    },
  },
  {
    name: 'PostgreSQL slow, 300 ms each way',
    async run({ way }) {
      way.delay(300)
      await seconds(15)
      way.delay(0)
    },
  },
  { name: 'no connection left', run: takeAllConnections },
  {
    name: 'network cut for 10 s',
    async run({ way }) {
      way.cut()
      await seconds(10)
      way.mend()
    },
  },
  {
    name: 'half-open connections',
    async run({ way }) {
      way.freeze()
      // Until PostgreSQL has noticed too, and gives back what the dead connections have locked.
      await seconds(30)
    },
  },
  {
    name: 'disk of a replica full',
    missing: ({ folders }) =>
      room(folders[0]) > 300_000_000 ? 'only root can mount a small volume' : undefined,
    async run({ folders }) {
      const file = join(folders[0] ?? '', 'filling')
      try {
        for (let piece = 1_000_000; piece >= 1_000; piece /= 10)
          while (room(folders[0]) >= piece) writeFileSync(file, Buffer.alloc(piece), { flag: 'a' })
      } catch {
        // Full.
      }
      await seconds(10)
      rmSync(file)
    },
  },
  {
    name: 'clock an hour forward, then an hour back',
    async run({ replica }) {
      for (const pause of [8, 8, 2]) {
        replica(0).child.kill('SIGUSR2')
        await seconds(pause)
      }
    },
  },
  { name: 'rolling restart', isSilent: true, run: (house) => restartBoth(house) },
  {
    name: 'rolling upgrade',
    isSilent: true,
    missing: () =>
      releaseBefore() === undefined ? 'no release is tagged; name a git ref in CHAOS_FROM' : undefined,
    async run(house) {
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-chaos-'))
      const tree = join(folder, 'before')
      const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
      git('worktree', 'add', '--detach', tree, releaseBefore() ?? '')
      try {
        symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
        await restartBoth(house, tree)
        await restartBoth(house)
      } finally {
        git('worktree', 'remove', '--force', tree)
        rmSync(folder, { recursive: true, force: true })
      }
    },
  },
]

function room(folder = '/'): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** After the fault; the load goes on until both replicas are ready, and a little longer. */
export async function recover(house: House): Promise<number> {
  const started = Date.now()
  await ready(house)
  const tookMs = Date.now() - started
  await seconds(3)
  return tookMs
}
