import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** File path from the root of the repository, with forward slashes, to its text. */
export type Sources = ReadonlyMap<string, string>

/** One place where a file names another: any import, export or worker address, type-only ones included. */
export interface Import {
  specifier: string
  line: number
}

/** An identifier, a string, a template part or a JSX text, with its line. */
export interface Word {
  kind: 'identifier' | 'text'
  text: string
  line: number
}

/** A call by its name, bare or of a member: `sleep(…)`, `clock.sleep(…)`. */
export interface Call {
  name: string
  line: number
}

export interface Parsed {
  imports: Import[]
  words: Word[]
  calls: Call[]
}

interface Node {
  type: string
  start: number
  [member: string]: unknown
}

const root = join(import.meta.dirname, '../..')

/** Whatever Node or Vite would load as code. */
export const code = '*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'

export function readSources(...patterns: string[]): Sources {
  const files = globSync(patterns, { cwd: root, exclude: ['web/dist/**', '**/node_modules/**'] })
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

export const isTest = (file: string): boolean =>
  /^(test|bench)\/|\.test\.[cm]?[jt]sx?$|(^|\/)testing[a-z0-9-]*\.[cm]?[jt]sx?$/.test(file)

const known = new Map<string, { source: string; parsed: Parsed }>()

/** Several rules look at the same file: it is parsed once. */
export function parse(file: string, source: string): Parsed {
  const before = known.get(file)
  if (before?.source === source) return before.parsed
  const parsed = parseSource(file, source)
  known.set(file, { source, parsed })
  return parsed
}

function parseSource(file: string, source: string): Parsed {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const lines = lineStarts(source)
  const parsed: Parsed = { imports: [], words: [], calls: [] }
  visit(program, (node) => collect(node, lines, parsed))
  return parsed
}

function collect(node: Node, lines: number[], parsed: Parsed): void {
  const specifier = importedBy(node)
  if (specifier !== undefined) parsed.imports.push({ specifier, line: lineOf(lines, node.start) })
  const word = wordOf(node)
  if (word !== undefined) parsed.words.push({ ...word, line: lineOf(lines, node.start) })
  const name = calledBy(node)
  if (name !== undefined) parsed.calls.push({ name, line: lineOf(lines, node.start) })
}

/** Stands for the address of an import that is not written out. */
export const calculated = '(calculated)'

function importedBy(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return textOf(node['source'])
    case 'ImportExpression':
      return textOf(node['source']) ?? calculated
    case 'NewExpression': {
      const [address, base] = node['arguments'] as Node[]
      const isUrl = (node['callee'] as Node)['name'] === 'URL' && base?.type === 'MemberExpression'
      return isUrl && (base['object'] as Node).type === 'MetaProperty' ? textOf(address) : undefined
    }
    default:
      return undefined
  }
}

function wordOf(node: Node): Omit<Word, 'line'> | undefined {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
    case 'PrivateIdentifier':
      return { kind: 'identifier', text: node['name'] as string }
    case 'Literal':
      return typeof node['value'] === 'string' ? { kind: 'text', text: node['value'] } : regexOf(node)
    case 'TemplateElement':
      return { kind: 'text', text: (node['value'] as { cooked: string | null }).cooked ?? '' }
    case 'JSXText':
      return { kind: 'text', text: node['value'] as string }
    default:
      return undefined
  }
}

function regexOf(node: Node): Omit<Word, 'line'> | undefined {
  const regex = node['regex'] as { pattern: string } | undefined
  return regex === undefined ? undefined : { kind: 'text', text: regex.pattern }
}

function calledBy(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const callee = node['callee'] as Node
  const name = (callee.type === 'MemberExpression' ? callee['property'] : callee) as Node
  return name.type === 'Identifier' ? (name['name'] as string) : undefined
}

function textOf(node: unknown): string | undefined {
  if (node === null || typeof node !== 'object') return undefined
  const { type, value, literal, quasis } = node as Record<string, unknown>
  if (type === 'TSLiteralType') return textOf(literal)
  if (type === 'TemplateLiteral' && (quasis as Node[]).length === 1)
    return wordOf((quasis as [Node])[0])?.text
  return type === 'Literal' && typeof value === 'string' ? value : undefined
}

function visit(node: unknown, meet: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, meet)
  } else if (node !== null && typeof node === 'object') {
    if (typeof (node as Node).type === 'string') meet(node as Node)
    // Without a list of the members: the sources have millions of nodes.
    for (const name in node) {
      const member = (node as Node)[name]
      if (typeof member === 'object') visit(member, meet)
    }
  }
}

function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** How many lines start at this place or before it. */
function lineOf(starts: number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}
