import { withoutUnits } from './lexer.ts'
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

/** Passwords of roles, options of connections, and command lines, which usually have one. */
export function holdsSecret(type: string, body: Node): boolean {
  if (connections.has(type)) return true
  // A command line has tokens and addresses with passwords.
  if (type === 'CopyStmt') return body['is_program'] === true
  const setting = type === 'VariableSetStmt' ? body['name'] : undefined
  if (typeof setting === 'string') return suspicious.test(setting)
  if (type !== 'CreateRoleStmt' && type !== 'AlterRoleStmt') return false
  return definitionsOf(body['options']).some(({ name, arg }) => name === 'password' && arg !== undefined)
}

/** Functions that take a password, a key or the address of a server. */
export function takesSecret(functionName: string): boolean {
  return /^(dblink|pgp_|crypt$|hmac$|encrypt|decrypt)/.test(functionName)
}

/** In a text that does not parse, a secret may stand anywhere after these words. */
const suspicious = /password|passwd|secret|user\s+mapping|subscription|dblink|crypt|conninfo|\bprogram\b/i

/** A password without quotes, or in those of names. */
const bare = /\b((?:password|passwd|secret)(?:\s*=\s*|\s+))(?!')(?:"[^"]*(?:"|$)|[^\s"';,)]+)/gi

/** Strings as somebody may have meant them who knows another database, or forgot a quote. */
const meant = /'(?:[^'\\]|\\.|'')*('|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(\$\2\$|$)/g

/** A text that was not understood, as it may be logged: only to its first quote where it is not clear what is quoted. */
export function withoutSecrets(sql: string): string {
  if (!suspicious.test(sql)) return sql
  const strict = withoutStrings(sql)
  const isClear = strict === sql.replace(meant, "'…'")
  const safe = isClear ? strict : sql.replace(/(?:['"$]|--|\/\*)[\s\S]*/, '…')
  return safe.replace(bare, "$1'…'")
}

/** What a syntax error says about such a text: PostgreSQL quotes the place, and so perhaps the secret. */
export function withoutPlace(message: string, sql: string): string {
  const place = message.indexOf(' at or near "')
  return place !== -1 && message.endsWith('"') && suspicious.test(sql) ? message.slice(0, place) : message
}

/** Text that becomes SQL at run time and sets a password. The grammar sees a string in it and no more. */
export function mayHoldPassword(sql: string): boolean {
  const role = sql.search(/\b(?:role|user)\b/i)
  return role !== -1 && /\bpassword\s+['$]/i.test(sql.slice(role))
}

/** Strings and comments say nothing any more. Quoting that does not end takes the rest of the text with it. */
export const withoutStrings = (sql: string): string => withoutUnits(sql, { string: "'…'", comment: '/*…*/' })

/** Numbers in every notation (`1_000`, `0x1F`, `.5`, `1e5`), and booleans. */
const constant = /(?<![\w$])(?:\.?\d[\w.]*|(?:true|false)(?!\w))/gi

/** The text of a statement that may set masked columns, as it may be logged. */
export const withoutConstants = (text: string): string => withoutStrings(text).replace(constant, '…')
