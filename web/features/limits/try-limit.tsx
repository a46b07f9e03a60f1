import { useEffect, useRef } from 'react'
import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import type { TriedLimit } from '#limits/contract'
import { call } from '../../api/client.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ChartCard } from '../../ui/chart-card.tsx'
import { dayAndTimeText, shortDayText } from '../../ui/moment.ts'
import { shortDollars } from '../../ui/money.ts'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { counted, shortCount } from '../../ui/quantity.ts'
import type { bodyOf } from './limit-draft.ts'

interface TryLimitProps {
  group: CurrentGroup
  body: ReturnType<typeof bodyOf>
  /** Why it cannot be tried yet. */
  problem: string | undefined
}

/** What the limit would have blocked, before it is switched on. */
export function TryLimit({ group, body, problem }: TryLimitProps) {
  const attempt = useMutation({
    mutationFn: async (asked: TryLimitProps['body']) => ({
      asked: JSON.stringify(asked),
      ...(await call('POST', '/api/v1/limits/try', { body: { ...asked, group_id: group.id } })),
    }),
  })
  const isCurrent = attempt.data?.asked === JSON.stringify(body)
  return (
    <section aria-label="Try this limit" className="space-y-3 rounded-xl border border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-soft">
          {problem ?? 'See what it would have done to the requests of the last 30 days.'}
        </p>
        <Button
          icon={FlaskConical}
          size="small"
          busy={attempt.isPending}
          disabled={problem !== undefined}
          onClick={() => attempt.mutate(body)}
        >
          Try this limit
        </Button>
      </div>
      {attempt.error && <FailureNotice error={attempt.error} />}
      {attempt.data && isCurrent && <Tried {...attempt.data} />}
    </section>
  )
}

/** Columns of each day: what passes, and what it blocks above that. */
function Tried({ would_have_blocked: blocked, days, is_complete: isComplete, since }: TriedLimit) {
  const passed = days.map((day) => day.requests - day.blocked)
  const series = [
    { name: 'Pass', colour: '--series-1', values: passed, texts: passed.map(shortCount) },
    {
      name: 'Would be blocked',
      colour: '--danger-strong',
      values: days.map((day) => day.blocked),
      texts: days.map((day) => shortCount(day.blocked)),
    },
  ]
  const place = useRef<HTMLDivElement>(null)
  // The form is longer than most windows, and the button is at its end.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div ref={place} className="space-y-3">
      {blocked.requests === 0 ? (
        <Notice tone="info" title="It would have blocked nothing in the last 30 days." />
      ) : (
        <Notice
          tone="warning"
          title={`It would have blocked ${counted(blocked.requests, 'request')} that cost ${shortDollars(blocked.cost)}.`}
        />
      )}
      {!isComplete && (
        <p className="text-xs text-ink-faint">
          There were too many requests to look at all of them: this is since {dayAndTimeText(since)}.
        </p>
      )}
      <ChartCard
        title="Requests per day"
        description="The last 30 days, as if the limit had been on."
        stepName="Day"
        label="Requests per day that pass and that would be blocked"
        isPending={false}
        form="stack"
        height={180}
        steps={days.map(({ date }) => shortDayText(`${date}T12:00:00Z`))}
        series={series}
        totals={days.map((day) => shortCount(day.requests))}
        formatAxis={shortCount}
      />
    </div>
  )
}
