import type pg from 'pg'
import { inTransaction, isDatabaseDown, lockUntilCommit } from '#kernel/db'
import type { Log } from '#kernel/log'
import { messageOf } from '#kernel/errors'
import { assistants } from '../assistants/index.ts'
import { sourceOf, type Deriver } from '../derive/index.ts'
import type { TranscriptSearch } from '../search/index.ts'
import {
  countAgain,
  dropOlder,
  finishedSessions,
  restartSources,
  saveProgress,
  waitingSources,
  type WaitingSource,
} from '../store/again-store.ts'
import { chunkAt } from '../store/chunk-store.ts'
import { lockSource, readSource } from '../store/source-store.ts'
import { assistantLock } from './ingest.ts'
import { notePresent } from './note-present.ts'
import { storeDerived, type DerivedFrom } from './store-derived.ts'
import { blankLines } from './without-erased.ts'

interface AgainDeps {
  pool: pg.Pool
  deriver: Deriver
  search: TranscriptSearch
  log: Pick<Log, 'warn'>
}

function currentVersion(assistant: string): number {
  return assistants.find(({ id }) => id === assistant)?.version ?? 0
}

/** Reads the kept lines again where a parser was changed since. Returns how many sources it read. */
export async function deriveAgain(deps: AgainDeps): Promise<number> {
  const { pool } = deps
  for (const { id, version } of assistants)
    while ((await inTransaction(pool, (client) => restartSources(client, id, version))) > 0);
  let count = 0
  const replaced = new Set<string>()
  for (let after = '0'; ;) {
    const waiting = await waitingSources(pool, after, 100)
    if (waiting.length === 0) break
    for (const source of waiting) {
      after = source.no
      if (await readSourceAgain(deps, source, replaced)) count++
    }
  }
  if (replaced.size > 0) await deps.search.eraseOlder(pool, replaced)
  return count
}

/** One whose lines cannot be read keeps what an older parser made of them, and keeps no other waiting. */
async function readSourceAgain(
  deps: AgainDeps,
  source: WaitingSource,
  replaced: Set<string>,
): Promise<boolean> {
  try {
    while (await readNextChunk(deps, source, replaced));
    return true
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    deps.log.warn({ error: messageOf(error), source_no: source.no }, 'a file was not derived again')
    return false
  }
}

/** One run of lines, in one transaction. False: there is no more. Adds the sessions of which nothing old is left. */
async function readNextChunk(
  { pool, deriver, search }: AgainDeps,
  source: WaitingSource,
  replaced: Set<string>,
): Promise<boolean> {
  const row = await readSource(pool, source.no)
  if (row === undefined || row.derived >= row.lines) return false
  const chunk = await chunkAt(pool, source.no, row.derived)
  const version = currentVersion(source.assistant)
  const isStart = chunk === undefined || chunk.generation !== row.derived_generation
  const skip = chunk === undefined ? 0 : Math.max(0, row.derived - chunk.first_line)
  const derived =
    chunk &&
    (await deriver.call({
      kind: 'again',
      input: {
        assistant: source.assistant,
        path: source.path,
        state: isStart ? null : row.parser_state,
        place: chunk.place + skip,
        orderBase: row.order_base,
      },
      data: chunk.data,
      skip,
    }))
  return inTransaction(pool, async (client) => {
    await lockUntilCommit(client, assistantLock(source.group_no, source.assistant))
    const locked = await lockSource(client, source.no)
    // A segment came meanwhile and may have been packed with these lines: they are read once more.
    if (locked === undefined || locked.lines !== row.lines || locked.derived !== row.derived) return true
    const from = fromOf(source, version)
    if (chunk && derived) {
      const erased = await storeDerived(client, search, from, derived)
      // These lines were stored before it was known whose they are.
      if (erased.length > 0) await blankLines(client, deriver, source, chunk.first_line, erased)
      if (locked.missing_at === null) await notePresent(client, from, source, derived)
    }
    const at = chunk === undefined ? row.lines : chunk.first_line + chunk.lines
    await saveProgress(client, source.no, {
      derived: at,
      derivedGeneration: chunk?.generation ?? row.generation,
      state: derived?.state ?? null,
      orderBase: derived?.orderBase ?? 0,
    })
    if (at < row.lines) return true
    for (const { no, paths } of await finishedSessions(client, source.no)) {
      if (!paths.some((path) => isRewritten(source, path))) {
        await dropOlder(client, no, version)
        replaced.add(no)
      }
      await countAgain(client, no)
    }
    return false
  })
}

function fromOf(
  { no, group_no, assistant, machine, path, born_at }: WaitingSource,
  version: number,
): DerivedFrom {
  return {
    group: group_no,
    assistant,
    machine,
    sourceNo: no,
    version,
    parentKey: sourceOf(assistant, path).source.parentKey ?? null,
    bornAt: born_at?.getTime() ?? null,
  }
}

/** Of a conversation that is rewritten whole only the newest version is kept: what vanished from it must stay. */
function isRewritten({ assistant }: WaitingSource, path: string): boolean {
  const { source } = sourceOf(assistant, path)
  return source.form === 'document' && source.role !== 'side-file'
}
