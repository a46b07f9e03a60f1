import { openDatabase, type Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createSearch } from './index.ts'
import { createTestEmbedder } from './testing-embedder.ts'

/** Indexes slowly, so that it can be killed in the middle. */
const [target = '', groupId = ''] = process.argv.slice(2)
const log = await createLog({ level: 'error', form: 'json' })
const database = openDatabase(JSON.parse(target) as Target, log)
const search = createSearch({
  database,
  embedder: createTestEmbedder(),
  log,
  pace: { pollMs: 20, sweepEveryMs: 60_000, restMs: 100, retryMs: 20 },
})
await search.index(
  'note',
  Array.from({ length: 400 }, (_, number) => ({
    groupId,
    id: `n${number}`,
    title: `n${number}`,
    text: `note number ${number}`,
    url: `/note/n${number}`,
    at: new Date('2026-11-01T00:00:00Z'),
  })),
)
await search.start()
