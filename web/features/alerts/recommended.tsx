import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { toast } from 'sonner'
import type { RecommendedAlert } from '#limits/contract'
import { call } from '../../api/client.ts'
import { useChange } from '../../api/refresh-queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { alertsKey, recommendedQuery } from './alert-queries.ts'
import { severityNames, severityTones } from './alert-words.ts'

/** Alerts that the group does not have yet: one click each, or all. */
export function Recommended({ groupId }: { groupId: string }) {
  const { data } = useQuery(recommendedQuery(groupId))
  const create = useChange(alertsKey(groupId), async (chosen: readonly RecommendedAlert[]) => {
    for (const { name, kind, config, severity } of chosen)
      await call('POST', '/api/v1/alerts', { body: { name, kind, config, severity, group_id: groupId } })
    return chosen.length
  })
  const missing = data?.filter(({ exists }) => !exists) ?? []
  if (missing.length === 0) return null
  const add = (chosen: readonly RecommendedAlert[]) =>
    create.mutate(chosen, {
      onSuccess: (count) => toast.success(count === 1 ? 'Alert created' : `${count} alerts created`),
    })
  return (
    <section aria-label="Recommended alerts" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">Recommended</h2>
          <p className="text-sm text-ink-soft">Nothing is active until you add it.</p>
        </div>
        <Button busy={create.isPending} onClick={() => add(missing)}>
          Add all {missing.length}
        </Button>
      </div>
      {create.error && <FailureNotice error={create.error} />}
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {missing.map((alert) => (
          <li
            key={alert.kind}
            className="flex items-start gap-3 rounded-xl border border-line bg-surface p-4 shadow-low"
          >
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
                {alert.name}
                <Badge tone={severityTones[alert.severity]}>{severityNames[alert.severity]}</Badge>
              </p>
              <p className="mt-1 text-sm text-pretty text-ink-soft">{alert.reason}</p>
              {alert.would_have_fired !== null && (
                <p className="mt-1 text-xs text-ink-faint">{firedText(alert)}</p>
              )}
            </div>
            <Button
              size="small"
              icon={Plus}
              aria-label={`Add “${alert.name}”`}
              disabled={create.isPending}
              onClick={() => add([alert])}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function firedText({ would_have_fired: times, days }: RecommendedAlert): string {
  if (times === 0) return `Would not have fired in the last ${days} days.`
  return `Would have fired ${times === 1 ? 'once' : `${times} times`} in the last ${days} days.`
}
