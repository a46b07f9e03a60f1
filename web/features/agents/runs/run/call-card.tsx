import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ToolCall } from '#agents/contract'
import { Badge } from '../../../../ui/badge.tsx'
import { ClampedText } from '../../../../ui/clamped-text.tsx'
import { CodeBlock } from '../../../../ui/code-block.tsx'
import { useFold } from '../../../../ui/fold-state.ts'
import { durationText } from '../../../../ui/quantity.ts'
import { toolIcon } from '../../../../ui/tool-kind.ts'
import { toolSummary } from '../../../../ui/tool-summary.ts'
import { StatementText } from '../../../sql/index.ts'
import { callNames, callTones } from '../run-words.ts'

interface CallCardProps {
  call: ToolCall
  /** Whether a result can still arrive. */
  isLive: boolean
}

/** A tool call in one line; its arguments and its result when it is opened. Failures are open at first. */
export function CallCard({ call, isLive }: CallCardProps) {
  const { id, name, server, status, duration_ms } = call
  const isRefused = status === 'failed' || status === 'denied'
  const [isOpen, toggle] = useFold(`call ${id}`, isRefused)
  const Icon = toolIcon(name)
  return (
    <div className={clsx('rounded-lg border bg-surface', isRefused ? 'border-danger/35' : 'border-line')}>
      <div className="flex min-h-8 items-center gap-2 pr-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-lg pl-2.5 text-left text-xs -outline-offset-2"
        >
          <ChevronRight
            aria-hidden
            className={clsx('size-3.5 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
          />
          <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          <span
            className="max-w-1/2 shrink-0 truncate font-medium"
            title={server === null ? name : `${name}, of the server ${server}`}
          >
            {name}
          </span>
          <span className="min-w-0 truncate font-mono text-ink-faint">{toolSummary(call.arguments)}</span>
        </button>
        {status === 'running' && !isLive ? (
          <Badge>no result</Badge>
        ) : (
          status !== 'done' && <Badge tone={callTones[status]}>{callNames[status]}</Badge>
        )}
        {duration_ms !== null && (
          <span className="text-xs whitespace-nowrap text-ink-faint tabular-nums max-sm:hidden">
            {durationText(duration_ms)}
          </span>
        )}
      </div>
      {isOpen && (
        <div className="space-y-2 px-3 pb-3">
          <CallArguments given={call.arguments} />
          <CallResult call={call} />
        </div>
      )}
    </div>
  )
}

/** A statement is shown as such, the rest as JSON. */
export function CallArguments({ given }: { given: ToolCall['arguments'] }) {
  const { sql, ...others } = given
  const rest = typeof sql === 'string' ? others : given
  return (
    <>
      {typeof sql === 'string' && <StatementText sql={sql} />}
      {Object.keys(rest).length > 0 && (
        <CodeBlock source={JSON.stringify(rest, null, 2)} language="json" what="Arguments" />
      )}
    </>
  )
}

function CallResult({ call: { id, status, result } }: { call: ToolCall }) {
  if (result === null) return null
  return (
    <ClampedText
      id={`result ${id}`}
      text={laidOut(result)}
      what="Result"
      isProse={!/^\s*[{[]/.test(result)}
      tone={status === 'failed' || status === 'denied' ? 'error' : 'plain'}
    />
  )
}

/** JSON with line breaks; a text that was cut is not JSON any more and stays as it is. */
function laidOut(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
