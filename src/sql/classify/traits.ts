import { definitionsOf, listOf, unwrap, type Node } from './node.ts'

const sessionStatements = new Set([
  'PrepareStmt',
  'ExecuteStmt',
  'DeallocateStmt',
  'DeclareCursorStmt',
  'FetchStmt',
  'ClosePortalStmt',
  'ListenStmt',
  'UnlistenStmt',
  'DiscardStmt',
  'LoadStmt',
])

/** What the statement leaves behind in the session, which the next caller would meet. */
export function sessionChange(type: string, body: Node): string | undefined {
  if (type === 'VariableSetStmt') return typeof body['name'] === 'string' ? body['name'] : 'all settings'
  return sessionStatements.has(type) ? type.replace('Stmt', '').toLowerCase() : undefined
}

const outside = new Set([
  'VacuumStmt',
  'CreatedbStmt',
  'DropdbStmt',
  'CreateTableSpaceStmt',
  'DropTableSpaceStmt',
  'AlterSystemStmt',
  'CreateSubscriptionStmt',
  'DropSubscriptionStmt',
])

/** Statements that PostgreSQL does not run inside a transaction. */
export function needsNoTransaction(type: string, body: Node): boolean {
  // ANALYZE is a VacuumStmt too, and may run anywhere.
  if (type === 'VacuumStmt') return body['is_vacuumcmd'] === true
  if (outside.has(type) || body['concurrent'] === true) return true
  if (type === 'ClusterStmt') return body['relation'] === undefined
  if (type === 'ReindexStmt')
    return body['relation'] === undefined || definitionsOf(body['params']).some(isConcurrently)
  if (type === 'AlterTableStmt') return listOf(body['cmds']).some(detachesConcurrently)
  return false
}

function isConcurrently({ name }: { name: string }): boolean {
  return name === 'concurrently'
}

function detachesConcurrently(command: unknown): boolean {
  const definition = unwrap(unwrap(command)?.body['def'])
  return definition?.type === 'PartitionCmd' && definition.body['concurrent'] === true
}
