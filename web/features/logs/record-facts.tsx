import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { UsageLogDetail } from '#usage/contract'
import { wholeTime } from '../../ui/moment.ts'
import { providerName } from '../../ui/provider-name.ts'
import { countText, durationText } from '../../ui/quantity.ts'
import type { Fact } from './facts.tsx'
import { about, sourceWords } from './log-words.ts'
import { readLogsAddress } from './logs-address.ts'
import { TimeBar } from './time-bar.tsx'

const linkLook = 'underline decoration-line-strong underline-offset-2 hover:decoration-ink'

/** A link that filters the list by this value. */
function Same({ part, children }: { part: Record<string, string>; children: ReactNode }) {
  return (
    <Link
      from="/logs"
      to="."
      search={(before) => readLogsAddress({ ...before, ...part })}
      title="Filter by this value"
      className={linkLook}
    >
      {children}
    </Link>
  )
}

const orNone = (value: ReactNode) => value || <span className="text-ink-faint">none</span>

export function factsOf(log: UsageLogDetail): Fact[] {
  const keyName =
    log.api_key_name ?? (log.api_key_id === null ? 'Playground' : `deleted key ${log.api_key_id}`)
  return [
    { name: 'Model', value: orNone(log.model && <Same part={{ model: log.model }}>{log.model}</Same>) },
    {
      name: 'Provider',
      value: orNone(
        log.provider && <Same part={{ provider: log.provider }}>{providerName(log.provider)}</Same>,
      ),
    },
    { name: 'Provider key', value: orNone(providerKeyOf(log)) },
    { name: 'API key', value: <Same part={{ api_key_id: log.api_key_id ?? 'none' }}>{keyName}</Same> },
    { name: 'User', value: orNone(log.user_label) },
    ...(log.route === null
      ? []
      : [{ name: 'Route', value: <Same part={{ route: log.route }}>{log.route}</Same> }]),
    ...sessionOf(log),
    { name: 'Endpoint', value: <code className="font-mono text-xs">{log.endpoint}</code> },
    { name: 'Streaming', value: log.streamed ? 'yes' : 'no' },
    { name: 'Started', value: <Moment time={log.started_at} /> },
    { name: 'Ended', value: <Moment time={log.ended_at} /> },
    { name: 'Duration', value: <Duration log={log} /> },
    {
      name: 'First token',
      value: orNone(log.ttft_ms === null ? null : `after ${durationText(log.ttft_ms)}`),
    },
    ...speedOf(log),
  ]
}

function providerKeyOf({ provider_key_id: id, provider_key_name: name }: UsageLogDetail): ReactNode {
  if (id === null) return null
  if (name === null) return `deleted key ${id}`
  return (
    <Link to="/providers/keys/$id" params={{ id }} className={linkLook}>
      {name}
    </Link>
  )
}

/** Of a request that a coding assistant sent. */
function sessionOf({ session_key: session, subagent_key: subagent }: UsageLogDetail): Fact[] {
  const fact = (name: string, key: string) => ({
    name,
    value: (
      <>
        <Same part={{ session: key }}>
          <code className="font-mono text-xs break-all">{key}</code>
        </Same>{' '}
        <Link
          to="/transcripts/by-key/$key"
          params={{ key }}
          className="text-xs whitespace-nowrap text-accent underline underline-offset-2"
        >
          Open transcript
        </Link>
      </>
    ),
  })
  if (session === null) return []
  return [fact('Session', session), ...(subagent === null ? [] : [fact('Subagent', subagent)])]
}

const Moment = ({ time }: { time: string }) => (
  <time dateTime={time} title={`${time} (UTC)`}>
    {wholeTime(time)}
  </time>
)

function Duration({
  log: { duration_ms: whole, upstream_ms: upstream, own_ms: own },
}: {
  log: UsageLogDetail
}) {
  return (
    <>
      {durationText(whole)}
      {upstream !== null && own !== null && <TimeBar upstream={upstream} own={own} />}
    </>
  )
}

/** Output speed after the first token, where it is known. */
function speedOf(log: UsageLogDetail): Fact[] {
  const seconds = (log.duration_ms - (log.ttft_ms ?? 0)) / 1000
  if (log.ttft_ms === null || seconds <= 0 || log.completion_tokens < 2) return []
  return [{ name: 'Speed', value: `${countText(Math.round(log.completion_tokens / seconds))} tokens/s` }]
}

/** The main counts always, their parts only where they are not zero. */
export function tokenFactsOf(log: UsageLogDetail): Fact[] {
  const text = (count: number) => `${about(log)}${countText(count)}`
  const part = (name: string, count: number) => (count === 0 ? [] : [{ name, value: text(count) }])
  return [
    { name: 'Input', value: text(log.prompt_tokens) },
    ...part('– cache read', log.cached_tokens),
    ...part('– cache write', log.cache_write_tokens),
    ...part('– long cache write', log.cache_write_long_tokens),
    ...part('– audio input', log.audio_input_tokens),
    { name: 'Output', value: text(log.completion_tokens) },
    ...part('– reasoning', log.reasoning_tokens),
    ...part('– audio output', log.audio_output_tokens),
    { name: 'Total', value: text(log.total_tokens) },
    ...Object.entries(log.units ?? {}).map(([name, count]) => ({ name, value: countText(count) })),
    { name: 'Token counts', value: sourceWords[log.usage_source] },
  ]
}
