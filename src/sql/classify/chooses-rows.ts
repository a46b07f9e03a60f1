import { isNode, listOf, textOf, unwrap } from './node.ts'

/** Whether a condition can tell rows apart. One that is true for every row is as good as none. */
export function choosesRows(condition: unknown): boolean {
  return condition !== undefined && !isAlwaysTrue(condition)
}

/** By its form alone, and apart from nulls: `true`, `1 = 1`, `$1`, `id = id`, `name LIKE '%'`, `a IS NULL OR a IS NOT NULL`. */
function isAlwaysTrue(condition: unknown): boolean {
  const node = unwrap(condition)
  if (node === undefined) return false
  const { type, body } = node
  if (!mentionsColumn(condition)) return true
  const args = listOf(body['args'])
  if (type === 'BoolExpr' && body['boolop'] === 'AND_EXPR') return args.every(isAlwaysTrue)
  if (type === 'BoolExpr' && body['boolop'] === 'OR_EXPR')
    return args.some(isAlwaysTrue) || isExhaustive(args)
  if (type === 'CoalesceExpr') return args.some((arg) => !mentionsColumn(arg))
  if (type !== 'A_Expr') return false
  return isReflexive(body) || matchesAnything(body)
}

/** A condition without a column, or a row as a whole, is the same for every row. `CURRENT OF` names one row. */
function mentionsColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsColumn)
  if (!isNode(value)) return false
  if ('ColumnRef' in value || 'CurrentOfExpr' in value) return true
  return Object.values(value).some(mentionsColumn)
}

const reflexive = new Set(['=', '<=', '>='])

/** `id = id`. */
function isReflexive(body: Record<string, unknown>): boolean {
  const isEqual = body['kind'] === 'AEXPR_NOT_DISTINCT' || reflexive.has(operatorOf(body))
  return isEqual && sameText(body['lexpr'], body['rexpr'])
}

/** `name LIKE '%'`. */
function matchesAnything(body: Record<string, unknown>): boolean {
  const isLike = body['kind'] === 'AEXPR_LIKE' || body['kind'] === 'AEXPR_ILIKE'
  return isLike && operatorOf(body).startsWith('~~') && /^%+$/.test(textOf(body['rexpr']) ?? '')
}

const operatorOf = (body: Record<string, unknown>): string => textOf(listOf(body['name']).at(-1)) ?? ''

/** `a IS NULL OR a IS NOT NULL`, `a OR NOT a`. */
function isExhaustive(args: readonly unknown[]): boolean {
  return args.some((arg) => args.some((other) => isOpposite(arg, other)))
}

function isOpposite(one: unknown, other: unknown): boolean {
  const [a, b] = [unwrap(one), unwrap(other)]
  if (a?.type === 'NullTest' && b?.type === 'NullTest')
    return a.body['nulltesttype'] !== b.body['nulltesttype'] && sameText(a.body['arg'], b.body['arg'])
  const isNot = b?.type === 'BoolExpr' && b.body['boolop'] === 'NOT_EXPR'
  return isNot && sameText(one, listOf(b.body['args'])[0])
}

/** The same expression, at any place of the text. */
function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, withoutPlace) === JSON.stringify(other, withoutPlace)
}

const withoutPlace = (key: string, value: unknown): unknown => (key === 'location' ? undefined : value)
