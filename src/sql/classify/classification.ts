import { Fault, faults, type FaultKind } from '#kernel/errors'
import type { StatementShape } from './shape/shape.ts'

/** Something found in a statement. `position` is a character index in the text, from 0. */
export interface Found {
  name: string
  position: number
}

export interface FoundOperation extends Found {
  /** Inside a body that is stored or run later: a function, `DO`, a rule, the query of a view. */
  inner: boolean
  /** For `UPDATE`, `DELETE` and `MERGE`: the rows are chosen by a condition that is not always true. */
  hasWhere: boolean
}

export interface FoundFunction extends Found {
  schema: string | null
}

export interface FoundRelation extends Found {
  catalog: string | null
  schema: string | null
  mode: 'read' | 'write'
}

/** Names that may lead to a function although no call is written: resolved by the facts of the database. */
export interface FoundName extends Found {
  schema: string | null
}

/** A relation at one place where it is named. */
export interface Mention extends FoundName {
  mode: 'read' | 'write'
  /** Where its name ends; null: it is not written in the text as it is known. */
  to: number | null
  /** Another name for its rows. */
  alias: string | null
}

/** A column that is named. `*`: all of them, or some that are not named, as in a natural join. */
export interface ColumnUse extends Found {
  /** What stands before the point: `u` in `u.email`. */
  of: string | null
}

/** Names as rules about tables and columns need them. */
export interface Naming {
  mentions: Mention[]
  columns: ColumnUse[]
  /** Names that RETURNING gives to rows. */
  rowNames: Found[]
  /** What ALTER TABLE does. */
  alters: Found[]
  /** All names in a statement that is neither a query nor a change of rows. */
  words: string[]
  /** Nothing but queries, or EXPLAIN of one. */
  isQuery: boolean
  /** Something gets another name or another schema. */
  isRename: boolean
}

export interface ClassifiedStatement extends Naming {
  /** The statement is `text.slice(from, to)`, without comments and space before it. */
  from: number
  to: number
  /** Every operation, such as `SELECT`, `DROP TABLE`, `SET ROLE`; `UNKNOWN:…` for what has no name here. */
  operations: FoundOperation[]
  functions: FoundFunction[]
  relations: FoundRelation[]
  /** Written with `OPERATOR(schema.op)` or plainly. */
  operators: FoundName[]
  /** Types of casts; a domain may call functions. */
  types: FoundName[]
  /** The last parts of names like `u.name`, which may be a call of a function `name(u)`. */
  attributes: FoundName[]
  /** Fields of values that need not be rows: `(1).name` is a call `name(1)`, and so is `g.name` of `f() AS g`. */
  fieldCalls: FoundName[]
  crossDatabase: Found[]
  sessionChanges: Found[]
  /** `FOR UPDATE` and its kin. */
  locks: Found[]
  /** Places where text becomes SQL only at run time, or a body that cannot be read. */
  dynamic: Found[]
  /** `DO`, `CALL`, `EXECUTE`, and bodies of functions. What can be read in them is among the inner operations. */
  isOpaque: boolean
  /** `CREATE INDEX CONCURRENTLY`, `VACUUM` and others that PostgreSQL refuses inside a transaction. */
  needsNoTransaction: boolean
  /** May run in a read-only transaction. */
  isReadOnly: boolean
  /** What it is good for in a workflow. */
  shape: StatementShape
  /** The text as it may be logged: where it carries a secret, with constants replaced by `$1`, `$2` … */
  normalized: string
  /** A password, or options that may hold one. */
  carriesSecret: boolean
}

export type Kind = 'execute' | 'migrate'

export interface Classifier {
  /** Throws a `ClassificationFault` for what cannot be read. Owners take turns. */
  classify(sql: string, kind: Kind, owner?: string): Promise<ClassifiedStatement[]>
  close(): Promise<void>
}

export type Unreadable = 'refused_text' | 'syntax' | 'parser_timeout'

const kinds: Record<Unreadable, FaultKind> = {
  refused_text: faults.invalidRequest,
  syntax: { ...faults.invalidRequest, code: 'sql_error' },
  parser_timeout: faults.policyViolation,
}

/** The text cannot be classified, so it never runs. */
export class ClassificationFault extends Fault {
  readonly reason: Unreadable
  readonly position: number | null
  /** What PostgreSQL would report; null where it would not be asked. */
  readonly sqlstate: string | null
  /** The text as it may be logged: constants are removed where it seems to carry a secret. */
  readonly safeText: string

  constructor(reason: Unreadable, message: string, more: { position?: number; safeText: string }) {
    super(kinds[reason], message, { param: reason === 'refused_text' ? 'sql' : null })
    this.reason = reason
    this.position = more.position ?? null
    this.sqlstate = reason === 'syntax' ? '42601' : null
    this.safeText = more.safeText
  }
}
