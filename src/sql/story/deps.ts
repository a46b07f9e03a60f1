import type { Approvals } from '../approvals/approvals.ts'
import type { Audit } from '../audit/audit.ts'
import type { AuditStatus } from '../contract.ts'
import type { Classifier } from '../classify/classification.ts'
import type { History } from '../migrate/history.ts'
import type { AuditKind } from '../tables.ts'
import type { TryOnCopy } from '../copy/try-on-copy.ts'
import type { KeptRows } from '../undo/kept-rows.ts'
import type { JudgeDeps } from './judge.ts'

export interface StoryDeps extends JudgeDeps {
  classifier: Classifier
  audit: Audit
  approvals: Approvals
  keptRows: KeptRows
  history: History
  tryOnCopy: TryOnCopy
  /** For the metrics. */
  count(kind: AuditKind, status: AuditStatus): void
}
