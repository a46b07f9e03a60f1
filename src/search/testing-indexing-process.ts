import { spawn, type ChildProcess } from 'node:child_process'
import { openDatabase, type Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createSearch } from './index.ts'
import { createTestEmbedder } from './testing-embedder.ts'

/** A process of its own that indexes 400 notes slowly, so that it can be killed in the middle. */
export function spawnIndexing(target: Target, groupId: string): ChildProcess {
  return spawn(process.execPath, [import.meta.filename, JSON.stringify(target), groupId], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function indexSlowly(target: Target, groupId: string): Promise<void> {
  const log = await createLog({ level: 'error', form: 'json' })
  const search = createSearch({
    database: openDatabase(target, log),
    embedder: createTestEmbedder(),
    log,
    pace: { pollMs: 20, sweepEveryMs: 60_000, restMs: 100, retryMs: 20 },
  })
  const notes = Array.from({ length: 400 }, (_, number) => ({
    groupId,
    id: `n${number}`,
    title: `n${number}`,
    text: `note number ${number}`,
    url: `/note/n${number}`,
    at: new Date('2026-11-01T00:00:00Z'),
  }))
  await search.index('note', notes)
  await search.start()
}

if (import.meta.main) {
  const [target = '', groupId = ''] = process.argv.slice(2)
  await indexSlowly(JSON.parse(target) as Target, groupId)
}
