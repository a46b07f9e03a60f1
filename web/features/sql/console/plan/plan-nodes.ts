/** A step of a plan, as EXPLAIN (FORMAT JSON) has it. */
interface RawNode {
  'Node Type'?: string
  'Join Type'?: string
  Operation?: string
  'Relation Name'?: string
  Alias?: string
  'Index Name'?: string
  'Plan Rows'?: number
  'Total Cost'?: number
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Actual Total Time'?: number
  'Rows Removed by Filter'?: number
  Plans?: RawNode[]
  [name: string]: unknown
}

export interface PlanNode {
  /** Its place in the tree, such as `0.1`. */
  id: string
  depth: number
  name: string
  /** What it works on: a table or an index. */
  on: string | null
  /** Conditions, one a line. */
  conditions: { name: string; text: string }[]
  rows: number
  cost: number
  /** Only of a statement that was run. */
  actualRows: number | null
  milliseconds: number | null
  /** Its own part of the whole, without the steps below: of the time if it is known, else of the cost. */
  share: number
}

const conditionNames = ['Filter', 'Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter']

/** The steps from the top down; none where the statement has no plan. */
export function planNodes(plan: unknown): PlanNode[] {
  const first: unknown = Array.isArray(plan) ? plan[0] : plan
  const root = (first as { Plan?: RawNode } | null | undefined)?.Plan
  if (!root) return []
  const isRun = root['Actual Total Time'] !== undefined
  const whole = isRun ? timeOf(root) : (root['Total Cost'] ?? 0)
  return flat(root, '0', 0, (node) => shareOf(node, isRun ? timeOf : costOf, whole))
}

function flat(node: RawNode, id: string, depth: number, share: (node: RawNode) => number): PlanNode[] {
  const loops = node['Actual Loops'] ?? 1
  const actual = node['Actual Rows']
  return [
    {
      id,
      depth,
      name: nameOf(node),
      on: node['Index Name'] ?? node['Relation Name'] ?? null,
      conditions: conditionNames.flatMap((name) =>
        typeof node[name] === 'string' ? [{ name, text: node[name] }] : [],
      ),
      rows: (node['Plan Rows'] ?? 0) * (actual === undefined ? 1 : loops),
      cost: costOf(node),
      actualRows: actual === undefined ? null : actual * loops,
      milliseconds: node['Actual Total Time'] === undefined ? null : timeOf(node),
      share: share(node),
    },
    ...(node.Plans ?? []).flatMap((child, at) => flat(child, `${id}.${at}`, depth + 1, share)),
  ]
}

function nameOf(node: RawNode): string {
  const { 'Node Type': type = 'Step', 'Join Type': join, Operation: operation } = node
  if (type === 'ModifyTable' && operation !== undefined) return operation
  return join === undefined || join === 'Inner' ? type : `${type} (${join.toLowerCase()})`
}

const costOf = (node: RawNode): number => node['Total Cost'] ?? 0

/** PostgreSQL reports the time of one loop. */
const timeOf = (node: RawNode): number => (node['Actual Total Time'] ?? 0) * (node['Actual Loops'] ?? 1)

/** A LIMIT costs less than what is below it, because that is not finished. */
function shareOf(node: RawNode, amountOf: (node: RawNode) => number, whole: number): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + amountOf(child), 0)
  return whole === 0 ? 0 : Math.min(1, Math.max(0, amountOf(node) - below) / whole)
}

/** By how much the planner was wrong, where it matters: `12 × more`. */
export function misjudged({ rows, actualRows }: PlanNode): string | null {
  if (actualRows === null || Math.max(rows, actualRows) < 100) return null
  const factor = (Math.max(rows, actualRows) + 1) / (Math.min(rows, actualRows) + 1)
  return factor < 10 ? null : `${Math.round(factor)} × ${actualRows > rows ? 'more' : 'fewer'}`
}
