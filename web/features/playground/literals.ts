import type { Value } from './request-apis.ts'

interface Style {
  /** One step of indentation. */
  step: string
  /** How the outermost arguments of a call are written. */
  argument: (name: string, value: string) => string
  member: (name: string, value: string) => string
  braces: readonly [string, string]
  word: (value: boolean) => string
}

const python: Style = {
  step: '    ',
  argument: (name, value) => `${name}=${value}`,
  member: (name, value) => `"${name}": ${value}`,
  braces: ['{', '}'],
  word: (value) => (value ? 'True' : 'False'),
}

const typescript: Style = {
  step: '  ',
  argument: (name, value) => `${name}: ${value}`,
  member: (name, value) => `${name}: ${value}`,
  braces: ['{ ', ' }'],
  word: String,
}

export const styles = { python, typescript }

/** The arguments of a call, one per line. Strings and numbers look the same in JSON, Python and TypeScript. */
export function argumentLines(fields: Record<string, Value>, style: Style): string {
  return Object.entries(fields)
    .map(([name, value]) => `${style.step}${style.argument(name, argument(value, style))},\n`)
    .join('')
}

/** An array has one line per entry. */
function argument(value: Value, style: Style): string {
  if (!Array.isArray(value)) return literal(value, style)
  const entries = value.map((entry) => `${style.step.repeat(2)}${literal(entry, style)},\n`)
  return `[\n${entries.join('')}${style.step}]`
}

function literal(value: Value, style: Style): string {
  if (typeof value === 'boolean') return style.word(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((entry) => literal(entry, style)).join(', ')}]`
  const members = Object.entries(value).map(([name, each]) => style.member(name, literal(each, style)))
  return `${style.braces[0]}${members.join(', ')}${style.braces[1]}`
}
