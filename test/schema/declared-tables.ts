import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

/** What a query gets: `any` where the type is calculated and says too little. */
export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'json' | 'any'

export interface DeclaredColumn {
  kinds: ReadonlySet<Kind>
  isNullable: boolean
}

interface Node {
  type: string
  [member: string]: unknown
}

type Declarations = Map<string, { file: string; node: Node }>

const root = join(import.meta.dirname, '../..')

/** Every table that a part declares to Kysely (`interface …Tables`), by its name and its columns. */
export function declaredTables(): Map<string, Map<string, DeclaredColumn>> {
  const files = globSync('src/**/{tables,*-store}.ts', { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const found = new Map<string, Map<string, DeclaredColumn>>()
  for (const file of files)
    for (const [name, { file: home, node }] of declarationsOf(file))
      if (home === file && name.endsWith('Tables') && node.type === 'TSInterfaceDeclaration')
        for (const [table, { node: type }] of membersOf(node, file))
          if (table.includes('.')) found.set(table, columnsOf(type, file))
  return found
}

function columnsOf(type: Node, file: string): Map<string, DeclaredColumn> {
  return new Map(
    [...membersOf(type, file)].map(([column, { file: home, node }]) => {
      const all = kindsOf(node, home)
      const kinds = new Set([...all].filter((kind) => kind !== 'null'))
      return [column, { kinds, isNullable: all.has('null') }]
    }),
  )
}

/** The members of an object type, wherever it is declared. */
function membersOf(type: Node, file: string): Declarations {
  if (type.type === 'TSIntersectionType')
    return new Map((type['types'] as Node[]).flatMap((each) => [...membersOf(each, file)]))
  if (type.type === 'TSTypeReference') {
    const declared = find(nameOf(type), file)
    if (!declared) throw new Error(`${file}: ${nameOf(type)} is not found`)
    return membersOf(declared.node, declared.file)
  }
  if (type.type === 'TSTypeAliasDeclaration') return membersOf(type['typeAnnotation'] as Node, file)
  const body = (type['body'] as { body?: Node[] } | undefined)?.body ?? (type['members'] as Node[])
  return new Map(
    body.map((member) => {
      const { name, value } = member['key'] as { name?: string; value?: string }
      const node = (member['typeAnnotation'] as Node)['typeAnnotation'] as Node
      return [name ?? value ?? '', { file, node }]
    }),
  )
}

const simple: Record<string, Kind | 'null'> = {
  TSStringKeyword: 'string',
  TSTemplateLiteralType: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
  TSArrayType: 'array',
  TSTypeLiteral: 'json',
}
const named: Record<string, Kind> = { Date: 'date', Buffer: 'bytes', Record: 'json', JSONColumnType: 'json' }

function kindsOf(
  type: Node,
  file: string,
  given = new Map<string, Set<Kind | 'null'>>(),
): Set<Kind | 'null'> {
  const known = simple[type.type]
  if (known) return new Set([known])
  if (type.type === 'TSUnionType')
    return new Set((type['types'] as Node[]).flatMap((each) => [...kindsOf(each, file, given)]))
  if (type.type === 'TSLiteralType')
    return new Set([typeof (type['literal'] as { value: unknown }).value as Kind])
  if (type.type !== 'TSTypeReference') return new Set(['any'])
  const name = nameOf(type)
  const [first] = ((type['typeArguments'] as { params: Node[] } | null)?.params ?? []) as Node[]
  if (given.has(name)) return given.get(name) as Set<Kind | 'null'>
  if (named[name]) return new Set([named[name]])
  if ((name === 'ColumnType' || name === 'Generated') && first) return kindsOf(first, file, given)
  const declared = find(name, file)
  if (declared?.node.type === 'TSInterfaceDeclaration') return new Set(['json'])
  if (declared?.node.type !== 'TSTypeAliasDeclaration') return new Set(['any'])
  const [parameter] = ((declared.node['typeParameters'] as { params: Node[] } | null)?.params ?? []) as Node[]
  const inner = new Map<string, Set<Kind | 'null'>>()
  if (parameter && first) inner.set((parameter['name'] as { name: string }).name, kindsOf(first, file, given))
  return kindsOf(declared.node['typeAnnotation'] as Node, declared.file, inner)
}

const nameOf = (type: Node): string => (type['typeName'] as { name?: string }).name ?? ''

const parsed = new Map<string, Declarations>()

function find(name: string, file: string): { file: string; node: Node } | undefined {
  return declarationsOf(file).get(name)
}

/** Types that a file declares or imports from a relative path; those of other parts count as `any`. */
function declarationsOf(file: string): Declarations {
  const before = parsed.get(file)
  if (before) return before
  const found: Declarations = new Map()
  parsed.set(file, found)
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  for (const statement of program.body as unknown as Node[]) {
    const node = (
      statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : statement
    ) as Node | null
    if (node?.type === 'TSInterfaceDeclaration' || node?.type === 'TSTypeAliasDeclaration')
      found.set((node['id'] as { name: string }).name, { file, node })
    const source = (statement['source'] as { value?: string } | null | undefined)?.value
    if (statement.type !== 'ImportDeclaration' || !source?.startsWith('.')) continue
    const from = declarationsOf(posix.join(posix.dirname(file), source))
    for (const { imported, local } of statement['specifiers'] as {
      imported?: { name: string }
      local: { name: string }
    }[]) {
      const declared = imported && from.get(imported.name)
      if (declared) found.set(local.name, declared)
    }
  }
  return found
}
