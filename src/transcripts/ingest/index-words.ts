import type { Derived, Deriver } from '../derive/index.ts'
import { addPart, type PartOwner } from '../store/index-store.ts'
import { readTexts } from '../store/search-store.ts'
import type { Db } from '../store/source-store.ts'
import { searchedText } from '../words/index.ts'

/** Indexes the words of messages that were stored. The numbers of their sessions are in the order of the batch. */
export async function indexWords(
  db: Db,
  deriver: Deriver,
  owner: PartOwner,
  { parts, unsettled }: Pick<Derived, 'parts' | 'unsettled'>,
  sessionNos: readonly (string | null)[],
): Promise<void> {
  for (const { session, part } of parts) {
    const no = sessionNos[session]
    if (no) await addPart(db, owner, [no], part)
  }
  const stored = unsettled.flatMap(({ session, key }) => {
    const no = sessionNos[session]
    return no ? [{ sessionNo: no, key }] : []
  })
  if (stored.length > 0) await indexStored(db, deriver, owner, stored)
}

async function indexStored(
  db: Db,
  deriver: Deriver,
  owner: PartOwner,
  messages: readonly { sessionNo: string; key: string }[],
): Promise<void> {
  const rows = await readTexts(db, messages)
  const texts = rows.filter(({ content, tool_input }) => content !== null || tool_input !== null)
  for (const [no, own] of Map.groupBy(texts, ({ session_no }) => session_no)) {
    const indexed = own.map(({ key, created_at, role, kind, tool_name: tool, content, tool_input }) => ({
      key,
      at: created_at?.getTime() ?? null,
      role,
      kind,
      tool,
      text: searchedText(content, tool_input),
    }))
    for (const part of await deriver.call({ kind: 'index', messages: indexed }))
      await addPart(db, owner, [no], part)
  }
}
