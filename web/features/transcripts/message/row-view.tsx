import { memo, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { GitFork } from 'lucide-react'
import type { TranscriptMessage } from '#transcripts/contract'
import { messagesOf, type Row } from '../session/rows.ts'
import { longDayText } from '../../../ui/moment.ts'
import { MessageImage } from './message-image.tsx'
import { useSessionPlace } from './session-context.ts'
import { Answer, Compaction, Injected, Prompt, SystemText, Thinking } from './text-messages.tsx'
import { SubagentFold } from './subagent-fold.tsx'
import { ToolCard, type Subagent } from './tool-card.tsx'

/** One row of a transcript. */
export const RowView = memo(function RowView({ row }: { row: Row }) {
  const { target } = useSessionPlace()
  if (row.kind === 'day') return <Divider>{longDayText(row.time)}</Divider>
  if (row.kind === 'fork') return <ForkEnd />
  const messages = messagesOf(row)
  const isTarget = messages.some(({ id }) => id === target)
  return (
    <article
      id={`m-${row.key}`}
      data-target={isTarget ? true : undefined}
      aria-current={isTarget ? 'location' : undefined}
      className={clsx(
        'group/row rounded-xl',
        isTarget && 'ring-2 ring-primary ring-offset-4 ring-offset-canvas',
        messages[0]?.is_copied && 'opacity-55',
      )}
    >
      {row.kind === 'tool' ? (
        <ToolCard call={row.call} results={row.results} renderSubagent={renderSubagent} />
      ) : (
        <MessageBody message={row.message} />
      )}
    </article>
  )
})

const renderRow = (row: Row): ReactNode => <RowView row={row} />
const renderSubagent = (subagent: Subagent): ReactNode => <SubagentFold {...subagent} renderRow={renderRow} />

function MessageBody({ message }: { message: TranscriptMessage }) {
  const { kind, role, origin } = message
  if (kind === 'image') return <MessageImage message={message} />
  if (kind === 'summary') return <Compaction message={message} />
  if (kind === 'thinking') return <Thinking message={message} />
  // Failures of the assistant must be seen.
  if (origin === 'injected' && !message.is_error) return <Injected message={message} />
  if (role === 'system') return <SystemText message={message} />
  return role === 'user' ? <Prompt message={message} /> : <Answer message={message} />
}

function Divider({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 py-1 text-xs text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}

function ForkEnd() {
  const { session } = useSessionPlace()
  return (
    <Divider>
      <span className="flex items-center gap-1.5">
        <GitFork aria-hidden className="size-3.5" />
        {session.forked_from === null ? (
          'Copied from another session up to here'
        ) : (
          <Link
            to="/transcripts/$id"
            params={{ id: session.forked_from }}
            className="underline underline-offset-2 hover:text-ink"
          >
            Copied from the original session up to here
          </Link>
        )}
      </span>
    </Divider>
  )
}
