import { endOfUnit, skipSpace } from '../../src/sql/classify/lexer.ts'

const unit = /\/\*|--|['"]|\$(?:[A-Za-z_]\w*)?\$|;|\(|\)|^\\[^\n]*$|\bBEGIN\s+ATOMIC\b|\bCASE\b|\bEND\b/gim

/**
 * The statements of a script for psql, which marks their ends with semicolons. Commands of psql itself and the data
 * behind `COPY … FROM stdin` are left out.
 */
export function splitScript(script: string): string[] {
  const text = script.replaceAll(/^(copy\s[^;]*from\s+stdin[^;]*;)\n[\s\S]*?^\\\.$/gim, '$1')
  const statements: string[] = []
  let start = 0
  let depth = 0
  let blocks = 0
  const finish = (end: number, next: number): void => {
    const from = skipSpace(text, start)
    if (from < end) statements.push(text.slice(from, end).trim())
    start = next
    depth = 0
    blocks = 0
  }
  unit.lastIndex = 0
  for (let found = unit.exec(text); found; found = unit.exec(text)) {
    const [token] = found
    const word = token.toUpperCase()
    if (token.startsWith('\\')) finish(found.index, unit.lastIndex)
    else if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (token === ';') {
      if (depth <= 0 && blocks <= 0) finish(found.index, found.index + 1)
    } else if (word.startsWith('BEGIN') || (word === 'CASE' && blocks > 0)) blocks += 1
    else if (word === 'END') blocks -= 1
    else if (word !== 'CASE') unit.lastIndex = endOfUnit(text, found.index)
  }
  finish(text.length, text.length)
  return statements.filter((statement) => statement !== '')
}
