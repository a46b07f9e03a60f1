import { useQuery } from '@tanstack/react-query'
import { MomentText } from '../../ui/moment-text.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import type { ScreenProps } from './screen.ts'
import { sessionCostQuery } from './standup-queries.ts'

/** Who, when, with which model, and what it has cost so far. */
export function StandupFacts({ group, session, state, connection }: ScreenProps) {
  const answers = state.items.filter((item) => item.kind === 'message' && item.state !== 'streaming').length
  const { data } = useQuery({
    ...sessionCostQuery(group.id, session, `${answers} ${state.ended?.id ?? 'open'}`),
    enabled: !state.isBusy,
  })
  const { cost, max_cost } = data ?? session
  return (
    <p className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-ink-soft">
      {connection === 'lost' && (
        <span role="status">
          <StatusDot status="warning" blinking>
            Reconnecting…
          </StatusDot>
        </span>
      )}
      {connection === 'refused' && (
        <span role="alert">
          <StatusDot status="error">This stand-up is not available any more</StatusDot>
        </span>
      )}
      <span>
        {session.started_by ?? 'Somebody'} started <MomentText time={session.started_at} />
      </span>
      <span className="font-mono text-xs">{session.model}</span>
      <span title={`${exactDollars(cost)} of at most ${exactDollars(max_cost)}`}>
        {shortDollars(cost)} <span className="text-ink-faint">of {shortDollars(max_cost)}</span>
      </span>
    </p>
  )
}
