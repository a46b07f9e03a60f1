import type pg from 'pg'
import { lockUntilCommit } from '#kernel/db'
import { assistantIds, assistants } from '../assistants/index.ts'
import type { Deriver } from '../derive/index.ts'
import type { Db } from '../store/source-store.ts'
import { toIndexed, type IndexedBatch } from './batch.ts'
import { find, type Hit, type Search } from './find.ts'
import * as store from './part-store.ts'
import { readTexts } from './text-store.ts'
import { createUpkeep, indexLock, replaceParts } from './upkeep.ts'

/** The search of the archive. What it keeps of the words, and how, only this folder knows. */
export interface TranscriptSearch {
  /** Indexes messages that were stored. The numbers of their sessions are in the order of the batch. */
  add(
    db: Db,
    owner: store.PartOwner,
    batch: IndexedBatch,
    sessionNos: readonly (string | null)[],
  ): Promise<void>
  /** Takes sessions out of the index. */
  erase(db: pg.ClientBase, group: number, sessions: readonly string[]): Promise<void>
  /** Takes out what an older parser indexed of sessions that the newer one has indexed again. */
  eraseOlder(db: Db, sessions: ReadonlySet<string>): Promise<void>
  /** Returns one more than the limit when there are more. */
  find(asked: Search): Promise<Hit[]>
  close(): Promise<void>
}

export function createTranscriptSearch(deps: { pool: pg.Pool; deriver: Deriver }): TranscriptSearch {
  const { pool, deriver } = deps
  const upkeep = createUpkeep(deps)
  return {
    async add(db, owner, { parts, unsettled }, sessionNos) {
      for (const { session, part } of parts) {
        const no = sessionNos[session]
        if (no) await store.addPart(db, owner, [no], part)
        upkeep.added(part.messages)
      }
      const stored = unsettled.flatMap(({ session, key }) => {
        const no = sessionNos[session]
        return no ? [{ sessionNo: no, key }] : []
      })
      if (stored.length > 0) await addStored(db, deriver, owner, stored)
    },
    async erase(db, group, sessions) {
      await lockUntilCommit(db, indexLock(group))
      for (const { group: _, assistant, version, ...part } of await store.partsOfSessions(
        db,
        group,
        sessions,
      ))
        await replaceParts(db, deriver, { group, assistant, version }, [part], sessions)
    },
    async eraseOlder(db, sessions) {
      for (const { id, version } of assistants) {
        const parts = await store.olderParts(db, assistantIds.indexOf(id), version)
        const replaced = parts.filter((part) => part.sessions.every((no) => sessions.has(no)))
        await store.dropParts(
          db,
          replaced.map(({ no }) => no),
        )
      }
    },
    find: (asked) => find(pool, asked),
    close: () => upkeep.close(),
  }
}

/** Of messages whose lines came apart, the words are in the stored text. */
async function addStored(
  db: Db,
  deriver: Deriver,
  owner: store.PartOwner,
  messages: readonly { sessionNo: string; key: string }[],
): Promise<void> {
  const rows = await readTexts(db, messages)
  const texts = rows.filter(({ content, tool_input }) => content !== null || tool_input !== null)
  for (const [no, own] of Map.groupBy(texts, ({ session_no }) => session_no)) {
    const indexed = own.map(({ created_at, tool_name, tool_input, ...row }) =>
      toIndexed({
        ...row,
        createdAt: created_at?.getTime() ?? null,
        toolName: tool_name,
        toolInput: tool_input,
      }),
    )
    for (const part of await deriver.call({ kind: 'index', messages: indexed }))
      await store.addPart(db, owner, [no], part)
  }
}
