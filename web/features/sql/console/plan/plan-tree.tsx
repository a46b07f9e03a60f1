import { clsx } from 'clsx'
import { Badge } from '../../../../ui/badge.tsx'
import { counted, countText, durationText, percentText } from '../../../../ui/quantity.ts'
import { misjudged, planNodes, type PlanNode } from './plan-nodes.ts'

/** The plan that PostgreSQL would use, or has used, as a tree with what each step costs. */
export function PlanTree({ plan }: { plan: unknown }) {
  const nodes = planNodes(plan)
  if (nodes.length === 0) return <p className="text-sm text-ink-faint">This statement has no plan.</p>
  const dearest = Math.max(...nodes.map(({ share }) => share))
  return (
    <ul aria-label="Plan" className="divide-y divide-line overflow-x-auto text-sm">
      {nodes.map((node) => (
        <Step key={node.id} node={node} isDearest={node.share === dearest && dearest > 0} />
      ))}
    </ul>
  )
}

/** Deeper ones keep this indent, so that a narrow screen has room for the text. */
const maxIndent = 8

function Step({ node, isDearest }: { node: PlanNode; isDearest: boolean }) {
  const { depth, name, on, conditions, share } = node
  const wrong = misjudged(node)
  return (
    <li
      className="flex flex-wrap items-start gap-x-6 gap-y-1 py-2"
      style={{ paddingLeft: `${Math.min(depth, maxIndent) * 1.125}rem` }}
    >
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {depth > 0 && (
            <span aria-hidden className="text-ink-faint">
              └
            </span>
          )}
          <span className="font-medium">{name}</span>
          {on !== null && <span className="font-mono text-xs">{on}</span>}
          {wrong !== null && <Badge tone="accent">{`${wrong} rows than estimated`}</Badge>}
        </p>
        {conditions.map((condition) => (
          <p key={condition.name} className="font-mono text-xs text-ink-faint [overflow-wrap:anywhere]">
            {`${condition.name}: ${condition.text}`}
          </p>
        ))}
      </div>
      <p className="text-xs whitespace-nowrap text-ink-soft">{amounts(node)}</p>
      <p className="flex w-32 items-center gap-2 text-xs text-ink-soft">
        <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken">
          <span
            className={clsx(
              'block h-full rounded-full',
              isDearest ? 'bg-primary' : 'bg-[var(--series-rest)]',
            )}
            style={{ width: `${share * 100}%` }}
          />
        </span>
        <span className="w-10 text-right">{percentText(Math.round(share * 100) / 100)}</span>
      </p>
    </li>
  )
}

function amounts({ rows, cost, actualRows, milliseconds }: PlanNode): string {
  if (actualRows === null || milliseconds === null)
    return `about ${counted(Math.round(rows), 'row')}, cost ${countText(Math.round(cost))}`
  const time = milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : durationText(milliseconds)
  return `${counted(Math.round(actualRows), 'row')} of about ${countText(Math.round(rows))}, ${time}`
}
