import type { ClassifiedStatement, FoundOperation, Kind } from '../classify/classification.ts'
import { firstOf, verdict, type Verdict } from './verdict.ts'

interface NeverRule {
  rule: string
  /** Matches the whole name of an operation. */
  operations: RegExp
  why: string
  needed: string
}

/** Operations that no policy can allow. */
const never: readonly NeverRule[] = [
  {
    rule: 'unknown_statement',
    operations: /^UNKNOWN:/,
    why: 'is not known to the proxy',
    needed: 'Another statement.',
  },
  {
    rule: 'transaction_control',
    operations: /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PREPARE TRANSACTION|SET TRANSACTION)( PREPARED)?$/,
    why: 'controls the transaction, which the proxy does',
    needed: 'Leave it out: every call, and every migration as a whole, is one transaction.',
  },
  {
    rule: 'session_change',
    operations:
      /^(SET|RESET|SET ROLE|SET SESSION AUTHORIZATION|PREPARE|EXECUTE|DEALLOCATE|DECLARE CURSOR|FETCH|MOVE|CLOSE|LISTEN|UNLISTEN|DISCARD|LOAD)$/,
    why: 'uses or changes the session, which other calls share',
    needed: 'Leave it out. Settings of the session belong to the proxy.',
  },
  {
    rule: 'notification',
    operations: /^NOTIFY$/,
    why: 'reaches other sessions',
    needed: 'Another way to tell them.',
  },
  {
    rule: 'table_lock',
    operations: /^LOCK TABLE$/,
    why: 'makes other sessions wait',
    needed: 'Leave it out: PostgreSQL locks what a statement needs.',
  },
  {
    rule: 'file_or_program',
    operations: /^COPY (TO|FROM) (FILE|PROGRAM)$/,
    why: "reaches files or programs of the database's machine",
    needed: 'Use SELECT and INSERT.',
  },
  {
    rule: 'copy_stream',
    operations: /^COPY (TO|FROM)$/,
    why: 'streams data, which the proxy does not carry',
    needed: 'Use SELECT and INSERT.',
  },
  {
    rule: 'cross_database',
    operations: /^(CREATE|ALTER|DROP) DATABASE$/,
    why: 'reaches beyond the database of the call',
    needed: 'An administrator of the database server.',
  },
  {
    rule: 'server_settings',
    operations: /^ALTER SYSTEM$/,
    why: 'changes settings of the whole server',
    needed: 'An administrator of the database server.',
  },
]

export function refusalOfStatement(statement: ClassifiedStatement, kind: Kind): Verdict | undefined {
  const refused = firstOf(statement.operations, refusalOfName)
  if (refused !== undefined) return refused
  const [change] = statement.sessionChanges
  // Under an EXPLAIN that only plans, EXECUTE is no operation but still reads the session.
  if (change !== undefined)
    return verdict(
      'session_change',
      change.position,
      `The statement uses the session (${change.name}).`,
      'Leave it out.',
    )
  if (kind === 'migrate' && statement.needsNoTransaction)
    return verdict(
      'not_transactional',
      statement.from,
      `${nameOf(statement)} cannot run in a transaction, and a migration is one.`,
      'A form that can: for example, an index without CONCURRENTLY.',
    )
  return undefined
}

function refusalOfName({ name, position }: FoundOperation): Verdict | undefined {
  return firstOf(never, ({ rule, operations, why, needed }) =>
    operations.test(name) ? verdict(rule, position, `${name} ${why}.`, needed) : undefined,
  )
}

function nameOf({ operations }: ClassifiedStatement): string {
  return operations[0]?.name ?? 'The statement'
}
