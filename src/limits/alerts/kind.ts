import type { Kysely } from 'kysely'
import type { AlertSeverity } from './shapes.ts'
import type { AlertTables } from './tables.ts'

export type Db = Kysely<AlertTables>

/** A thing that people should know of now. */
export interface Finding {
  /** Names it: the same thing does not fire twice. */
  thing: string
  /** What happened, in one line with numbers. */
  title: string
  /** What to do next. */
  text: string
  /** Where to look, in the dashboard. */
  path: string
  data: Record<string, unknown>
}

/** How much of a limit is used, as the limits report it. */
export interface LimitUse {
  name: string
  metric: string
  amount: string
  used: string
  /** Null: it never starts again. */
  resetsAt: Date | null
}

/** A limit of which most is used. */
export interface NearEnd extends Omit<LimitUse, 'name'> {
  id: string
  subject: { readonly type: string; readonly id: string | null }
  window: string | null
  percent: number
}

/** What kinds ask of other parts beside the views of the schema `alerts`. */
export interface Sources {
  limitUse(groupId: string, limitId: string): Promise<LimitUse | undefined>
  /** Whether a request for the model would have a price now. */
  hasPrice(groupId: string, provider: string, model: string): boolean
  disk(): Promise<{ host: string; freeBytes: number; totalBytes: number }>
}

export interface Question {
  db: Db
  groupId: string
  now: Date
  /** Since when the alert is active. */
  since: Date
  /** Things that have fired and are not over: they end at a lower mark than the one they began at. */
  open: ReadonlySet<string>
  sources: Sources
}

export interface Kind<C> {
  severity: AlertSeverity
  /** A thing that has fired does not fire again, even when it was over in between. */
  isOnce: boolean
  /** How it ends: with a message, without one, or in the moment in which it fires, because nothing can undo it. */
  ends: 'with a message' | 'silently' | 'at once'
  /** It concerns the whole installation, so only the first group has it. */
  isOfInstallation?: boolean
  /** All things that should be firing now. */
  find(question: Question, config: C): Promise<Finding[]>
  /** The message for the end. */
  over?(firing: { title: string; data: Record<string, unknown> }): string
}
