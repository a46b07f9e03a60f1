import { isAllowedBy, isForbiddenBy, isMaskedBy, type ColumnName, type TableName } from './patterns.ts'

/** What applies to one call besides the operations: of the policy, the database and the grants that run now. */
export interface Rules {
  /** Null: all tables that are not denied. */
  allow: readonly string[] | null
  deny: readonly string[]
  /** Of the policy and of the database. */
  masks: readonly string[]
  grants: readonly ActiveGrant[]
}

/** More than the policy allows, for a time. */
export interface ActiveGrant {
  id: string
  operations: readonly string[]
  tables: readonly string[]
  unmask: readonly string[]
}

export const hasTableRules = ({ allow, deny }: Rules): boolean => allow !== null || deny.length > 0
export const hasRules = (rules: Rules): boolean => hasTableRules(rules) || rules.masks.length > 0

/** Why a table must not be reached; undefined: it may be. */
export function refusedTable(
  { allow, deny }: Rules,
  table: TableName,
  /** Reached as a partition or a parent of another, for which the list of allowed tables counts. */
  isKin: boolean,
): string | undefined {
  const denied = deny.find((pattern) => isForbiddenBy(pattern, table))
  if (denied !== undefined) return `tables.deny of the policy has ${denied}`
  if (isKin || allow === null || allow.some((pattern) => isAllowedBy(pattern, table))) return undefined
  return 'tables.allow of the policy does not have it'
}

export const grantOfTable = ({ grants }: Rules, table: TableName): ActiveGrant | undefined =>
  grants.find(({ tables }) => tables.some((pattern) => isAllowedBy(pattern, table)))

export const isMasked = ({ masks }: Rules, column: ColumnName): boolean =>
  masks.some((pattern) => isMaskedBy(pattern, column))

export const grantOfColumn = ({ grants }: Rules, column: ColumnName): ActiveGrant | undefined =>
  grants.find(({ unmask }) => unmask.some((pattern) => isMaskedBy(pattern, column)))
