import * as again from '../../../src/transcripts/store/again-store.ts'
import * as chunks from '../../../src/transcripts/store/chunk-store.ts'
import * as documents from '../../../src/transcripts/store/document-store.ts'
import * as erase from '../../../src/transcripts/store/erase-store.ts'
import * as index from '../../../src/transcripts/search/part-store.ts'
import { storeMessages } from '../../../src/transcripts/store/message-store.ts'
import * as pages from '../../../src/transcripts/store/page-store.ts'
import * as reading from '../../../src/transcripts/store/read-store.ts'
import { responsesOf } from '../../../src/transcripts/store/response-store.ts'
import * as searching from '../../../src/transcripts/search/text-store.ts'
import * as sessions from '../../../src/transcripts/store/session-store.ts'
import * as sources from '../../../src/transcripts/store/source-store.ts'
import * as summaries from '../../../src/transcripts/store/summary-store.ts'
import * as usage from '../../../src/transcripts/store/usage-store.ts'
import type { Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const name = { machine: 'm', assistant: 'codex', root: '/', path: 'p' } as const
const owner = { group: 1, assistant: 'codex' } as const
const segment = {
  source: name,
  generation: 0,
  from: 0,
  to: 1,
  identity: null,
  cursor: null,
  lines: [],
  skipped: [],
  blobs: [],
}
const progress = { lines: 1, derived: 1, derivedGeneration: 0, state: null, orderBase: 0 }
const packed = { data: hash, lines: 1, bytes: 1 }
const task = { no: '1', message_count: 1 } as summaries.SummaryTask
const none: reading.SessionFilter = {
  group: 1,
  projects: [],
  assistants: [],
  machines: [],
  branches: [],
  models: [],
  since: null,
  until: null,
  externalId: null,
  parentId: null,
  includeSubagents: false,
}
const some: reading.SessionFilter = {
  ...none,
  projects: ['/p'],
  assistants: ['codex'],
  machines: ['m'],
  branches: ['main'],
  models: ['model'],
  since: at,
  until: at,
  externalId: 'key',
}

export const transcripts: Sample = async ({ pool, answer }) => {
  answer([], [], [{ no: 1 }])
  await sources.ensureGroup(pool, id)
  await sources.findSource(pool, 1, name)
  await sources.readSource(pool, '1')
  await sources.lockSource(pool, '1')
  await sources.addSource(pool, 1, segment, 1)
  await sources.advanceSource(pool, '1', segment, progress)
  await sources.markMissing(pool, 1, name)
  await sources.presentSources(pool, '1')
  await sources.markSessionsMissing(pool, '1', ['1'])
  await sources.markAllPresent(pool, '1')
  await sources.markPresent(pool, owner, ['key'])
  await sources.listFiles(pool, 1, name, null)
  await sources.linkSources(pool, '1', ['1'])
  await chunks.lastChunk(pool, '1')
  await chunks.chunkAt(pool, '1', 0)
  await chunks.listChunks(pool, '1')
  await chunks.saveChunk(pool, '1', { first_line: 0, generation: 0, place: 0 }, packed)
  await chunks.dropChunks(pool, '1')
  await chunks.saveBlobs(pool, 1, '1', [{ sha256: '00', mime: null, data: hash }])
  await sessions.sessionsByKey(pool, owner, ['key'])
  await sessions.sessionsByNo(pool, ['1'])
  await sessions.addSessions(pool, owner, 'm', [{ id, key: 'key' }])
  await sessions.deletedKeys(pool, owner, ['key'])
  await sessions.writeSessions(pool, [])
  await sessions.unlistSubagents(pool, owner, ['key'])
  await storeMessages(pool, 1, ['1'], { count: 0, columns: [] })
  await usage.findUsage(pool, 1, 1, [id])
  await usage.saveUsage(pool, 1, 1, 1, [])
  await usage.saveUnknown(pool, [])
  await erasing(pool)
  answer([{ session_no: '1' }])
  await erase.sweepErased(pool)
  await readingAll(pool, answer)
  await searchingAll(pool)
  await indexing(pool)
  for (const source of [[], [{ no: '1' }]]) {
    answer(source)
    await again.restartSources(pool, 'codex', 2)
  }
  await again.waitingSources(pool, '0', 1)
  await again.saveProgress(pool, '1', progress)
  await again.finishedSessions(pool, '1')
  await again.dropOlder(pool, '1', 2)
  await again.countAgain(pool, '1')
}

type Pool = Parameters<Sample>[0]['pool']

async function erasing(pool: Pool): Promise<void> {
  await erase.withSubagents(pool, owner, '1')
  await erase.rememberDeleted(pool, owner, [{ no: '1', external_id: 'key' }])
  await erase.sourcesOf(pool, ['1'])
  await erase.emptySources(pool, ['1'])
  await erase.noteErasure(pool, ['1'])
  await erase.dropImages(pool, ['1'], ['1'])
  await erase.eraseSessions(pool, ['1'])
  await erase.dropUnusedBlobs(pool, 1)
}

async function readingAll(pool: Pool, answer: Parameters<Sample>[0]['answer']): Promise<void> {
  const listed = { at: '1', no: '1' }
  await reading.listSessions(pool, none, { after: null, limit: 1 })
  await reading.listSessions(pool, some, { after: listed, limit: 1 })
  await reading.listSessions(pool, { ...none, parentId: id }, { after: null, limit: 1 })
  await reading.listSessions(pool, { ...none, includeSubagents: true }, { after: null, limit: 1 })
  await reading.findSession(pool, 1, id)
  await reading.sessionsOf(pool, ['1'])
  await reading.sessionKeys(pool, id, [id])
  await reading.relatedSessions(pool, { no: '1' }, 'parent_key')
  await reading.relatedSessions(pool, { no: '1' }, 'fork_key')
  await reading.listProjects(pool, 1)
  await reading.listUnknown(pool, '1', 1)
  await reading.listWatchers(pool, 1)
  await reading.saveWatcher(pool, 1, 'm', {}, id)
  const query = { sessionNo: '1', forkNo: null, group: 1, limit: 1 }
  for (const after of [null, { place: 1, key: id }])
    for (const isDescending of [false, true])
      for (const show of [null, 'prompts', 'tools', 'errors'] as const)
        await pages.readMessages(pool, { ...query, show, after, isDescending })
  await pages.placeOf(pool, '1', id)
  await pages.findImage(pool, { no: '1', group_no: 1 }, '00')
  await responsesOf(pool, '1')

  await summaries.summaryTasks(pool, {
    idleMinutes: 10,
    maxAgeDays: 7,
    minMessages: 4,
    maxFailures: 3,
    limit: 20,
  })
  answer([{ title: null, first_prompt: null }])
  await summaries.saveSummary(pool, task, 'summary')
  await summaries.noteFailure(pool, task)
  await documents.changedSessions(pool, { at: at.toISOString(), no: '1' }, at, 1)
  await documents.listedIds(pool, [id])
}

async function searchingAll(pool: Pool): Promise<void> {
  const values: unknown[] = []
  const conditions = reading.sessionConditions(some, values)
  await searching.readTexts(pool, [{ sessionNo: '1', key: id }])
  await searching.findSessions(pool, 'words', conditions, values, 1)
  await searching.sessionNumbers(pool, conditions, values, 1)
}

async function indexing(pool: Pool): Promise<void> {
  const of = { group: 1, assistant: 1, version: 1 }
  const counts = { bits: 0, messages: 0, newest: 0, oldest: 0 }
  await index.preferLookups(pool)
  await index.addPart(pool, of, ['1'], { ...counts, entries: hash, buckets: hash, lists: hash })
  const all = { group: 1, assistants: [], sessions: null, since: null, until: null }
  await index.listParts(pool, all, null, 1)
  const few = { group: 1, assistants: [1], sessions: ['1'], since: at, until: at }
  await index.listParts(pool, few, { newest: 0, no: 1 }, 1)
  await index.readLists(pool, [{ part_no: 1, bucket: 0 }])
  await index.readEntries(pool, [{ part_no: 1, number: 0 }])
  await index.crowdedOwners(pool, 2, 1)
  await index.smallParts(pool, of, 2, 1)
  await index.partsOfSessions(pool, 1, ['1'])
  await index.dropParts(pool, [1])
  await index.olderParts(pool, 1, 2)
}
