import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Schedule } from '#agents/contract'
import { call } from '../../../api/client.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { titleOf } from '../runs/run-words.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { schedulesKey, schedulesQuery } from './schedule-queries.ts'

interface SchedulesCardProps {
  groupId: string
  agentId: string
  mayChange: boolean
}

type Open = { what: 'edit'; schedule?: Schedule } | { what: 'delete'; schedule: Schedule }

/** What the agent is asked again and again. */
export function SchedulesCard({ groupId, agentId, mayChange }: SchedulesCardProps) {
  const { data, error, refetch } = useQuery(schedulesQuery(groupId, agentId))
  const [open, setOpen] = useState<Open | undefined>()
  const close = () => setOpen(undefined)
  return (
    <Card
      title="Schedules"
      description="Requests that are made at set times. People are notified when such a run fails or waits."
      action={
        mayChange && (
          <Button size="small" icon={Plus} onClick={() => setOpen({ what: 'edit' })}>
            Add schedule
          </Button>
        )
      }
    >
      {error && <FailureNotice error={error} onRetry={refetch} />}
      {data?.length === 0 && <p className="text-sm text-ink-faint">No schedules.</p>}
      <ul aria-label="Schedules" className="divide-y divide-line">
        {data?.map((schedule) => (
          <li
            key={schedule.id}
            className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <ScheduleText schedule={schedule} />
            {mayChange && (
              <div className="flex gap-1">
                <Button
                  look="quiet"
                  size="small"
                  icon={Pencil}
                  aria-label="Edit schedule"
                  onClick={() => setOpen({ what: 'edit', schedule })}
                />
                <Button
                  look="quiet"
                  size="small"
                  icon={Trash2}
                  aria-label="Delete schedule"
                  onClick={() => setOpen({ what: 'delete', schedule })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {open?.what === 'edit' && (
        <ScheduleDialog {...{ groupId, agentId, schedule: open.schedule }} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <DeleteDialog
          queryKey={schedulesKey(groupId, agentId)}
          remove={() =>
            call('DELETE', '/api/agents/{id}/schedules/{schedule_id}', {
              path: { id: agentId, schedule_id: open.schedule.id },
            })
          }
          noun="schedule"
          name={open.schedule.in_words}
          onClose={close}
        >
          <p>Its runs are kept.</p>
        </DeleteDialog>
      )}
    </Card>
  )
}

function ScheduleText({ schedule }: { schedule: Schedule }) {
  const { in_words: words, time_zone, request, enabled, next_at, last_at, last_run_id, last_error } = schedule
  return (
    <div className="min-w-0 flex-1 basis-64 space-y-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        <CalendarClock aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <span className="first-letter:uppercase">{`${words}, ${time_zone}`}</span>
        {!enabled && <Badge tone="neutral">off</Badge>}
      </p>
      <p className="[overflow-wrap:anywhere] text-ink-soft">{titleOf({ request, ticket: null })}</p>
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-faint">
        {next_at !== null && (
          <span>
            {'Next '}
            <MomentText time={next_at} />
          </span>
        )}
        {last_at !== null && last_run_id !== null && (
          <Link
            to="/agents/runs/$runId"
            params={{ runId: last_run_id }}
            className="text-accent underline underline-offset-2"
          >
            {'Last run '}
            <MomentText time={last_at} />
          </Link>
        )}
        <span>{`with the rights of ${schedule.runs_as}`}</span>
      </p>
      {last_error !== null && <p className="text-xs text-danger">{last_error}</p>}
    </div>
  )
}
