import { useEffect, useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Run } from '#agents/contract'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { exactDollars, shortDollars } from '../../../../ui/money.ts'
import { Card } from '../../../../ui/page.tsx'
import { countText, durationText, shortCount } from '../../../../ui/quantity.ts'
import type { Entry } from '../live/run-log.ts'
import { durationOf, hasEnded } from '../run-words.ts'

/** What the run has used so far, against its limits. */
export function RunFacts({ run, entries }: { run: Run; entries: readonly Entry[] }) {
  const { usage, cost, steps, limits } = run
  const now = useNow(!hasEnded(run.status))
  const turn = run.turns.at(-1)
  const elapsed = durationOf({ ...run, ...(turn && { created_at: turn.created_at }) }, now)
  const hasWaited = run.waiting_for !== null || entries.some(({ kind }) => kind === 'wait')
  const devlogs = entries.filter((entry) => entry.kind === 'devlog')
  return (
    <Card title="Used">
      <dl className="space-y-3 text-sm">
        <Meter
          label="Cost"
          value={cost === null ? (hasEnded(run.status) ? 'unknown' : 'not known yet') : shortDollars(cost)}
          exact={cost === null ? undefined : exactDollars(cost)}
          limit={shortDollars(String(limits.max_cost))}
          share={cost === null ? null : Number(cost) / limits.max_cost}
          note={cost === null && hasEnded(run.status) ? <NoPrice /> : undefined}
        />
        <Meter
          label="Steps"
          value={countText(steps)}
          limit={countText(limits.max_steps)}
          share={steps / limits.max_steps}
        />
        <Meter
          label="Tokens"
          value={shortCount(usage.total_tokens)}
          exact={`${countText(usage.input_tokens)} in, ${countText(usage.output_tokens)} out`}
          limit={shortCount(limits.max_tokens)}
          share={usage.total_tokens / limits.max_tokens}
        />
        <Meter
          label="Time"
          value={durationText(elapsed)}
          limit={limitTime(limits.max_seconds)}
          share={hasWaited || turn ? null : elapsed / 1000 / limits.max_seconds}
          note={turn ? ofTurn : hasWaited ? 'Waiting for a person does not count for the limit.' : undefined}
        />
        {devlogs.length > 0 && (
          <Fact label="Devlog">
            {devlogs.map(({ devlogId }, index) => (
              <Link
                key={devlogId}
                to="/devlogs/$id"
                params={{ id: devlogId }}
                className="mr-2 text-accent hover:underline"
              >
                {devlogs.length === 1 ? 'Open devlog' : `Devlog ${index + 1}`}
              </Link>
            ))}
          </Fact>
        )}
        <Fact label="Run">
          <span className="flex items-center gap-1">
            <code className="min-w-0 truncate font-mono text-xs">{run.run_id}</code>
            <CopyButton text={run.run_id} what="run id" />
          </span>
        </Fact>
      </dl>
    </Card>
  )
}

const ofTurn = 'Since the last message. The limits are those of all messages together.'

interface MeterProps {
  label: string
  value: string
  exact?: string | undefined
  limit: string
  /** From 0 to 1 and above; null where it is not known. */
  share: number | null
  note?: ReactNode
}

function Meter({ label, value, exact, limit, share, note }: MeterProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-2">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular-nums" title={exact}>
        <span className="font-medium">{value}</span>
        <span className="text-ink-faint">{` of ${limit}`}</span>
      </dd>
      {share !== null && (
        <dd aria-hidden className="col-span-2 mt-1 h-1 overflow-hidden rounded-full bg-hover">
          <div
            className={clsx(
              'h-full rounded-full transition-[width] duration-500',
              share < 0.9 ? 'bg-primary' : 'bg-danger-strong',
            )}
            style={{ width: `${(Math.min(1, share) * 100).toFixed(1)}%` }}
          />
        </dd>
      )}
      {note !== undefined && <dd className="col-span-2 text-xs text-ink-faint">{note}</dd>}
    </div>
  )
}

function NoPrice() {
  return (
    <>
      A model of this run has no price.{' '}
      <Link to="/usage/prices" className="text-accent underline">
        Add a price
      </Link>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

const limitTime = (seconds: number): string =>
  seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : durationText(seconds * 1000)

/** The current time, every second while it matters. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}
