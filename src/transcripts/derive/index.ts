export { createDeriver, type Deriver } from './deriver.ts'
export {
  isStateOfOther,
  sourceOf,
  stateBeginning,
  stateWithoutLines,
  type Derived,
  type DeriveInput,
} from './derive.ts'
export type { UnknownRow, UsageRow } from './batch.ts'
export type { MessageColumns } from './columns.ts'
export { kinds, origins, roles } from './message-row.ts'
export { smallPack, type PackedLines } from './pack.ts'
export { pauseMs, type SessionChanges } from './session-changes.ts'
export type { Taken } from './thread-calls.ts'
