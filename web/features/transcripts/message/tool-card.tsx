import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { TranscriptDetail, TranscriptMessage } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { fileEditsOf, type FileEdit } from '../edits/file-edits.ts'
import { DiffCounts } from './diff-view.tsx'
import { useFold } from '../../../ui/fold-state.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageTime } from './message-time.tsx'
import { useSessionPlace } from './session-context.ts'
import { CallInput, ToolResult } from './tool-body.tsx'
import { toolIcon } from '../../../ui/tool-kind.ts'
import { toolSummary, toolTitle } from '../../../ui/tool-summary.ts'

export interface Subagent {
  id: string
  title: string | null
  messages: number | null
}

interface ToolCardProps {
  call: TranscriptMessage | null
  results: readonly TranscriptMessage[]
  /** Shows the session that the call started. */
  renderSubagent: (subagent: Subagent) => ReactNode
}

/** A call and its results in one card. Edits and failures are open at first, and what the address names. */
export function ToolCard({ call, results, renderSubagent }: ToolCardProps) {
  const { session, target, isNested } = useSessionPlace()
  const all = call ? [call, ...results] : results
  const first = all[0]
  const edits = call ? fileEditsOf(call.tool_name, call.tool_input) : []
  const hasFailed = all.some(({ is_error }) => is_error)
  const isTarget = all.some(({ id }) => id === target)
  const [isOpen, toggle] = useFold(
    `tool ${first?.id}`,
    isTarget || hasFailed || (edits.length > 0 && !isNested),
  )
  if (!first) return null
  const subagent = call && subagentOf(call, session.subagents)
  return (
    <div className={clsx('rounded-lg border bg-surface', hasFailed ? 'border-danger/35' : 'border-line')}>
      <div className="flex min-h-8 items-center gap-2 pr-2">
        <ToolLine call={call} name={nameOf(all)} edits={edits} isOpen={isOpen} onToggle={toggle} />
        <MessageActions sessionId={session.id} messageId={first.id} text={copiedText(call, results)} />
        {hasFailed && <Badge tone="danger">failed</Badge>}
        {call !== null && results.length === 0 && <Badge>no result</Badge>}
        <MessageTime time={first.created_at} className="max-sm:hidden" />
      </div>
      {isOpen && (
        <div className="space-y-2 px-3 pb-3">
          {call && <CallInput call={call} edits={edits} />}
          {results.map((result) => (
            <ToolResult key={result.id} result={result} />
          ))}
        </div>
      )}
      {subagent && <div className="border-t border-line px-3 py-2">{renderSubagent(subagent)}</div>}
    </div>
  )
}

const nameOf = (messages: readonly TranscriptMessage[]): string =>
  messages.find(({ tool_name }) => tool_name !== null)?.tool_name ?? 'Tool result'

interface ToolLineProps {
  call: TranscriptMessage | null
  name: string
  edits: readonly FileEdit[]
  isOpen: boolean
  onToggle: () => void
}

function ToolLine({ call, name, edits, isOpen, onToggle }: ToolLineProps) {
  const Icon = toolIcon(name)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-lg pl-2.5 text-left text-xs -outline-offset-2"
    >
      <ChevronRight
        aria-hidden
        className={clsx('size-3.5 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
      />
      <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <span className="max-w-1/2 shrink-0 truncate font-medium" title={name}>
        {toolTitle(name)}
      </span>
      {/* An open edit names its files itself. */}
      {!(isOpen && edits.length > 0) && (
        <>
          <span className="min-w-0 truncate font-mono text-ink-faint">
            {edits.length > 0
              ? edits.map(({ path }) => path).join(', ')
              : call && toolSummary(call.tool_input)}
          </span>
          {edits.length > 0 && <DiffCounts lines={edits.flatMap(({ lines }) => lines)} />}
        </>
      )}
    </button>
  )
}

/** By the call, or by what the subagent's session says of its own start. */
function subagentOf(call: TranscriptMessage, subagents: TranscriptDetail['subagents']): Subagent | null {
  const found = subagents.find(
    ({ id, parent_call_id }) =>
      id === call.subagent_id || (parent_call_id !== null && parent_call_id === call.call_id),
  )
  if (found) return { id: found.id, title: found.title, messages: found.message_count }
  return call.subagent_id === null ? null : { id: call.subagent_id, title: null, messages: null }
}

function copiedText(call: TranscriptMessage | null, results: readonly TranscriptMessage[]): string {
  const input = call === null ? '' : inputText(call.tool_input)
  return [input, ...results.map(({ content }) => content ?? '')].filter((text) => text !== '').join('\n\n')
}

const inputText = (input: unknown): string =>
  typeof input === 'string'
    ? input
    : input === null || input === undefined
      ? ''
      : JSON.stringify(input, null, 2)
