import { doubleArray, hexArray, integerArray, textArray, timeArray, uuidArray } from '#kernel/binary-array'
import type { Batch } from './batch.ts'
import type { MessageRow } from './message-row.ts'

/** Messages as one array per column, made in the thread so that the process only passes bytes on. */
export interface MessageColumns {
  count: number
  /** In the order of the statement that stores them. */
  columns: Uint8Array[]
}

export function toColumns({ messages }: Pick<Batch, 'messages'>): MessageColumns {
  const rows = messages.flatMap((each, session) => [...each.values()].map((row) => ({ session, row })))
  const all = rows.map(({ row }) => row)
  const small = (value: (row: MessageRow) => number) => integerArray('int2', all.map(value))
  return {
    count: all.length,
    columns: [
      integerArray(
        'int4',
        rows.map(({ session }) => session + 1),
      ),
      uuidArray(all.map(({ key }) => key)),
      doubleArray(all.map(({ place }) => place)),
      timeArray(all.map(({ createdAt }) => createdAt)),
      uuidArray(all.map(({ parentKey }) => parentKey)),
      small(({ role }) => role),
      small(({ kind }) => kind),
      small(({ origin }) => origin ?? unsaid),
      small(({ isError }) => flag(isError)),
      small(({ isSidechain }) => flag(isSidechain)),
      small(({ isPartial }) => flag(isPartial)),
      small(({ isCut }) => flag(isCut)),
      textArray(all.map(({ model }) => model)),
      textArray(all.map(({ toolName }) => toolName)),
      textArray(all.map(({ callId }) => callId)),
      hexArray(
        'bytea',
        all.map(({ image }) => image),
      ),
      textArray(all.map(({ imageMime }) => imageMime)),
      textArray(all.map(({ toolInput }) => toolInput)),
      textArray(all.map(({ content }) => content)),
    ],
  }
}

/** Stands for null in arrays of small numbers. */
const unsaid = -1

const flag = (value: boolean | null): number => (value === null ? unsaid : Number(value))
