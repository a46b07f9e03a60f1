const maxLength = 110
const clauses =
  'from|where|and|values|set|returning|limit|order by|group by|on conflict|for update|for share|inner join|left join|union all'
const clause = new RegExp(`^(?:${clauses})\\b`)
/** A space before a clause; `delete from` and `is distinct from` stay together. */
const spaceBeforeClause = new RegExp(`(?<!delete|distinct) (?=(?:${clauses.replace('and|', '')})\\b)`, 'g')
const token = /'(?:[^']|'')*'|"[^"]*"|[()]|\s+|[^\s()'"]+/g

/** SQL that was written on several lines keeps them; what Kysely puts on one line gets a line for each clause. */
export function formatSql(sql: string): string {
  const text = sql.trim()
  const lines = text.includes('\n') ? withoutIndent(text) : inClauses(text)
  return visible(lines.flatMap(shorter).join('\n'))
}

function withoutIndent(text: string): string[] {
  const [first = '', ...rest] = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const indent = Math.min(...rest.map((line) => line.search(/\S/)))
  return [first, ...rest.map((line) => line.slice(indent))]
}

/** Breaks before a clause that is outside brackets and quotes. */
function inClauses(text: string): string[] {
  let depth = 0
  let before = ''
  const lines = ['']
  for (const { 0: part, index } of text.matchAll(token)) {
    if (part === '(') depth++
    if (part === ')') depth--
    const isTogether = before === 'delete' || before === 'distinct'
    if (part === ' ' && depth === 0 && !isTogether && clause.test(text.slice(index + 1))) lines.push('')
    else lines.push(`${lines.pop() ?? ''}${part}`)
    if (part !== ' ') before = part
  }
  return lines.map((line) => (line.startsWith('and ') ? `  ${line}` : line))
}

/** A line that is still long is broken before the clauses within, then between the items of a list. */
function shorter(line: string): string[] {
  if (line.length <= maxLength) return [line]
  const indent = ' '.repeat(line.search(/\S/) + 2)
  const [first = '', ...rest] = line.split(spaceBeforeClause)
  return [first, ...rest.map((each) => `${indent}${each}`)].map((each) => wrapped(each, indent))
}

function wrapped(line: string, indent: string): string {
  let length = 0
  const pieces = line.split(', ').map((piece, index) => {
    const isBreak = index > 0 && length + piece.length > maxLength
    length = (isBreak ? indent.length : length) + piece.length + 2
    return index === 0 ? piece : `${isBreak ? `,\n${indent}` : ', '}${piece}`
  })
  return pieces.join('')
}

/** Characters that a reader does not see or takes for a space. */
function visible(text: string): string {
  return text.replaceAll(
    /(?![\n ])[\p{Cc}\p{Cf}\p{Z}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
