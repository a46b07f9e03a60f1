import { loadModule, parseSync } from 'libpg-query'
import type {
  Column,
  Constrained,
  Constraint,
  Dropped,
  Parsed,
  Relation,
  Statement,
  TableChange,
} from './statements.ts'

/** In the order of how long it takes on a large table. */
const works = ['none', 'reads', 'changes rows', 'rewrites'] as const
const blocked = ['nothing', 'writes', 'everything'] as const

/** What a migration does to a table that is there before it. */
export interface Effect {
  table: string
  work: (typeof works)[number]
  /** What others cannot do with the table meanwhile. */
  blocks: (typeof blocked)[number]
}

export interface Effects {
  effects: Effect[]
  /** A block of code, whose effects only a trial would show. */
  runsCode: boolean
}

/** Read from the statements by PostgreSQL's own grammar; the worst of each table counts. */
export async function effectsOf(sql: string): Promise<Effects> {
  await loadModule()
  const statements = ((parseSync(sql) as Parsed).stmts ?? []).map(({ stmt }) => stmt)
  const worst = new Map<string, Effect>()
  for (const effect of statements.flatMap(ofStatement)) {
    const before = worst.get(effect.table)
    worst.set(effect.table, before ? worse(before, effect) : effect)
  }
  return { effects: [...worst.values()], runsCode: statements.some(({ DoStmt }) => DoStmt !== undefined) }
}

function worse(one: Effect, other: Effect): Effect {
  const max = <T>(list: readonly T[], a: T, b: T): T => (list.indexOf(a) > list.indexOf(b) ? a : b)
  return {
    table: one.table,
    work: max(works, one.work, other.work),
    blocks: max(blocked, one.blocks, other.blocks),
  }
}

const nameOf = ({ schemaname, relname }: Relation): string =>
  schemaname === undefined ? relname : `${schemaname}.${relname}`

function ofStatement(statement: Statement): Effect[] {
  const { AlterTableStmt: alter, IndexStmt: index, CreateStmt: create, DropStmt: drop } = statement
  if (alter) return (alter.cmds ?? []).flatMap(({ AlterTableCmd }) => ofChange(alter.relation, AlterTableCmd))
  if (index)
    return [{ table: nameOf(index.relation), work: 'reads', blocks: index.concurrent ? 'nothing' : 'writes' }]
  if (create) return ofNewTable(create)
  if (drop) return ofDropped(drop)
  const { UpdateStmt, DeleteStmt, InsertStmt, MergeStmt, CreateTrigStmt, RenameStmt, TruncateStmt } =
    statement
  const changed = UpdateStmt ?? DeleteStmt ?? InsertStmt ?? MergeStmt
  if (changed) return [{ table: nameOf(changed.relation), work: 'changes rows', blocks: 'nothing' }]
  if (CreateTrigStmt) return [{ table: nameOf(CreateTrigStmt.relation), work: 'none', blocks: 'writes' }]
  if (RenameStmt?.relation)
    return [{ table: nameOf(RenameStmt.relation), work: 'none', blocks: 'everything' }]
  return (TruncateStmt?.relations ?? []).map(({ RangeVar }) => ({
    table: nameOf(RangeVar),
    work: 'none',
    blocks: 'everything',
  }))
}

/** Of a trigger the last name is its own. */
function ofDropped({ removeType, objects }: Dropped): Effect[] {
  if (removeType !== 'OBJECT_TABLE' && removeType !== 'OBJECT_TRIGGER') return []
  return objects.map(({ List: { items } }) => {
    const names = items.map(({ String: { sval } }) => sval)
    const table = (removeType === 'OBJECT_TABLE' ? names : names.slice(0, -1)).join('.')
    return { table, work: 'none', blocks: 'everything' }
  })
}

/** A reference to a table makes triggers on it; a partition is hung into its parent. */
function ofNewTable({ tableElts = [], inhRelations = [] }: Constrained): Effect[] {
  const constraints = tableElts.flatMap(({ ColumnDef, Constraint: own }) => [
    ...(own ? [own] : []),
    ...constraintsOf(ColumnDef),
  ])
  return [
    ...referred(constraints),
    ...inhRelations.map(({ RangeVar }): Effect => ({
      table: nameOf(RangeVar),
      work: 'none',
      blocks: 'everything',
    })),
  ]
}

const constraintsOf = (column: Column | undefined): Constraint[] =>
  (column?.constraints ?? []).map((each) => each.Constraint)

const referred = (constraints: readonly Constraint[]): Effect[] =>
  constraints.flatMap(({ pktable }): Effect[] =>
    pktable ? [{ table: nameOf(pktable), work: 'none', blocks: 'writes' }] : [],
  )

const rewriting = [
  ...['AT_AlterColumnType', 'AT_SetLogged', 'AT_SetUnLogged', 'AT_SetAccessMethod', 'AT_SetTableSpace'],
]

function ofChange(relation: Relation, { subtype, def }: TableChange): Effect[] {
  const table = nameOf(relation)
  const change = (work: Effect['work'], blocks: Effect['blocks'] = 'everything'): Effect => ({
    table,
    work,
    blocks,
  })
  if (subtype === 'AT_AddColumn') {
    const constraints = constraintsOf(def?.ColumnDef)
    return [change(workOfColumn(def?.ColumnDef, constraints)), ...referred(constraints)]
  }
  if (subtype === 'AT_AddConstraint' && def?.Constraint)
    return [change(workOfConstraint(def.Constraint)), ...referred([def.Constraint])]
  if (subtype === 'AT_ValidateConstraint') return [change('reads', 'nothing')]
  if (subtype === 'AT_SetNotNull' || subtype === 'AT_AttachPartition') return [change('reads')]
  return [change(rewriting.includes(subtype) ? 'rewrites' : 'none')]
}

function workOfConstraint({ contype, skip_validation: isLater, indexname }: Constraint): Effect['work'] {
  if (contype === 'CONSTR_NOTNULL' || contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return isLater ? 'none' : 'reads'
  return indexname === undefined ? 'reads' : 'none'
}

/** A default that is the same for every row is stored once; others are calculated for each. */
function workOfColumn(column: Column | undefined, constraints: readonly Constraint[]): Effect['work'] {
  const type = column?.typeName?.names?.at(-1)?.String.sval ?? ''
  const isCalculated = constraints.some(
    ({ contype, raw_expr: expression, generated_kind: kind }) =>
      contype === 'CONSTR_IDENTITY' ||
      (contype === 'CONSTR_GENERATED' && kind !== 'v') ||
      (contype === 'CONSTR_DEFAULT' && callsFunction(expression)),
  )
  if (isCalculated || /serial/.test(type)) return 'rewrites'
  const makesIndex = ['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION', 'CONSTR_CHECK']
  return constraints.some(({ contype }) => makesIndex.includes(contype)) ? 'reads' : 'none'
}

/** `now()` is the same for the whole statement. */
function callsFunction(expression: unknown): boolean {
  const calls = JSON.stringify(expression ?? {}).matchAll(/"FuncCall":\{"funcname":\[(.*?)\]/g)
  return [...calls].some(([, name = '']) => !name.endsWith('{"String":{"sval":"now"}}'))
}
