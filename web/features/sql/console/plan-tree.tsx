import { countText } from '../../../ui/quantity.ts'

interface PlanNode {
  'Node Type'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Plan Rows'?: number
  'Total Cost'?: number
  Filter?: string
  Plans?: PlanNode[]
}

/** The plan that PostgreSQL would use, as a tree. */
export function PlanTree({ plan }: { plan: unknown }) {
  const root = rootOf(plan)
  if (!root) return <p className="text-sm text-ink-faint">This statement has no plan.</p>
  return (
    <ul aria-label="Plan" className="space-y-1 text-sm">
      <Node node={root} total={root['Total Cost'] ?? 0} />
    </ul>
  )
}

function rootOf(plan: unknown): PlanNode | undefined {
  const first: unknown = Array.isArray(plan) ? plan[0] : plan
  return (first as { Plan?: PlanNode } | null | undefined)?.Plan
}

function Node({ node, total }: { node: PlanNode; total: number }) {
  const cost = node['Total Cost'] ?? 0
  const share = total === 0 ? 0 : Math.min(1, cost / total)
  const what = node['Index Name'] ?? node['Relation Name']
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{node['Node Type'] ?? 'Step'}</span>
        {what !== undefined && <span className="font-mono text-xs">{what}</span>}
        <span className="text-xs text-ink-faint">
          about {countText(node['Plan Rows'] ?? 0)} rows, cost {countText(Math.round(cost))}
        </span>
        <span aria-hidden className="h-1.5 w-24 self-center rounded bg-sunken">
          <span className="block h-full rounded bg-accent" style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      {node.Filter !== undefined && <p className="font-mono text-xs text-ink-faint">{node.Filter}</p>}
      {node.Plans && (
        <ul className="mt-1 space-y-1 border-l border-line pl-4">
          {node.Plans.map((child, index) => (
            <Node key={index} node={child} total={total} />
          ))}
        </ul>
      )}
    </li>
  )
}
