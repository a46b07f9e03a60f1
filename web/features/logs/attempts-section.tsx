import { clsx } from 'clsx'
import type { UsageAttempt, UsageLogDetail } from '#usage/contract'
import { Dollars } from '../../ui/dollars.tsx'
import { modelName } from '../../ui/model-name.ts'
import { providerName } from '../../ui/provider-name.ts'
import { counted, countText, durationText } from '../../ui/quantity.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { statusDotOf, statusName } from './log-words.ts'
import { Part } from './part.tsx'

/** Every call to a provider, one below the other on the time of the request. */
export function AttemptsSection({ log }: { log: UsageLogDetail }) {
  if (log.attempts.length === 0 || (log.attempts.length === 1 && log.route === null)) return null
  const start = Date.parse(log.started_at)
  return (
    <Part title="Attempts" action={<span className="text-xs text-ink-faint">{timesText(log)}</span>}>
      <ol className="overflow-hidden rounded-xl border border-line text-sm">
        {log.attempts.map((attempt, index) => (
          <li key={index} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <Attempt
              attempt={attempt}
              number={index + 1}
              keyName={log.provider_key_names[attempt.provider_key_id]}
            />
            <Timeline
              from={Date.parse(attempt.started_at) - start}
              length={attempt.duration_ms}
              whole={log.duration_ms}
              isOk={isAnswer(attempt)}
            />
          </li>
        ))}
      </ol>
    </Part>
  )
}

const isAnswer = ({ status_code: status, error_code: code }: UsageAttempt): boolean =>
  status !== null && status < 400 && code === null

function timesText(log: UsageLogDetail): string {
  const calls = counted(log.attempt_count, 'call')
  if (log.upstream_ms === null || log.own_ms === null) return calls
  return `${calls}, ${durationText(log.upstream_ms)} at providers, ${durationText(log.own_ms)} here`
}

interface AttemptProps {
  attempt: UsageAttempt
  number: number
  keyName: string | undefined
}

function Attempt({ attempt, number, keyName }: AttemptProps) {
  const { provider, model, prompt_tokens: input, completion_tokens: output, total_cost: cost } = attempt
  return (
    <>
      <div className="flex min-w-0 items-baseline gap-2">
        <span aria-hidden className="w-4 shrink-0 font-mono text-xs text-ink-faint">
          {number}
        </span>
        <span className="min-w-0 flex-1 truncate font-medium" title={model}>
          {modelName(model)}
        </span>
        <AttemptStatus attempt={attempt} />
      </div>
      <div className="flex min-w-0 items-baseline justify-between gap-3 pl-6 text-xs text-ink-faint">
        <span className="min-w-0 truncate">
          {providerName(provider)} · {keyName ?? 'deleted key'}
        </span>
        <span className="whitespace-nowrap">
          {input + output > 0 && `${countText(input)} → ${countText(output)} · `}
          {durationText(attempt.duration_ms)} ·{' '}
          {cost === null ? (
            <span title="What it cost is not known">cost unknown</span>
          ) : (
            <Dollars amount={cost} />
          )}
        </span>
      </div>
    </>
  )
}

function AttemptStatus({ attempt }: { attempt: UsageAttempt }) {
  const { status_code: status, error_code: code } = attempt
  const words = code?.replaceAll('_', ' ') ?? (status === null ? 'no response' : statusName(status))
  return (
    <StatusDot status={status === null ? 'off' : code === null ? statusDotOf(status) : 'error'}>
      <span className="text-xs">
        {status} {words}
      </span>
    </StatusDot>
  )
}

interface TimelineProps {
  from: number
  length: number
  whole: number
  isOk: boolean
}

/** Where in the time of the request the call lies. */
function Timeline({ from, length, whole, isOk }: TimelineProps) {
  const share = (part: number): number => Math.min(100, Math.max(0, (part / Math.max(1, whole)) * 100))
  const left = share(from)
  const width = Math.min(100 - left, Math.max(1, share(length)))
  return (
    <span aria-hidden className="mt-1.5 ml-6 block h-1.5 overflow-hidden rounded-full bg-hover">
      <span
        className={clsx('block h-full rounded-full', isOk ? 'bg-success-strong' : 'bg-danger-strong')}
        style={{ marginLeft: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` }}
      />
    </span>
  )
}
