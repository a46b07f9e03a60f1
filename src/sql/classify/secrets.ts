import { definitionsOf, type Node } from './node.ts'

const connections = new Set([
  'CreateUserMappingStmt',
  'AlterUserMappingStmt',
  'CreateForeignServerStmt',
  'AlterForeignServerStmt',
  'CreateSubscriptionStmt',
  'AlterSubscriptionStmt',
  'AlterSystemStmt',
])

/** Passwords of roles, and options of connections, which usually have one. */
export function holdsSecret(type: string, body: Node): boolean {
  if (connections.has(type)) return true
  if (type !== 'CreateRoleStmt' && type !== 'AlterRoleStmt') return false
  return definitionsOf(body['options']).some(({ name, arg }) => name === 'password' && arg !== undefined)
}

/** Functions that take a password, a key or the address of a server. */
export function takesSecret(functionName: string): boolean {
  return /^(dblink|pgp_|crypt$|hmac$|encrypt|decrypt)/.test(functionName)
}

/** In a text that does not parse, a secret may stand anywhere after these words. */
const suspicious = /password|passwd|secret|user\s+mapping|subscription|dblink|crypt|conninfo/i

const quoted = /'(?:[^'\\]|\\.|'')*('|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(\$\2\$|$)/g

/** A text that was not understood, as it may be logged. */
export function withoutSecrets(sql: string): string {
  return suspicious.test(sql) ? withoutStrings(sql) : sql
}

/** Replaces every string by `'…'`. Quoting that is not understood takes the rest of the text with it. */
export function withoutStrings(sql: string): string {
  return sql.replace(quoted, "'…'")
}
