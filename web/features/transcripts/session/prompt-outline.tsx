import { useLayoutEffect, useMemo, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import type { TranscriptMessage } from '#transcripts/contract'
import { promptsQuery } from '../transcript-queries.ts'
import { minuteText } from '../../../ui/moment.ts'

interface PromptOutlineProps {
  groupId: string
  sessionId: string
  /** The loaded messages, with those that were written since. */
  messages: readonly TranscriptMessage[]
  target: string | undefined
  onOpen: (message: string) => void
}

const isPrompt = ({ role, origin, kind }: TranscriptMessage) =>
  role === 'user' && origin === 'human' && kind === 'text'

const height = 44

/** What was asked in the session, on screens that are wide enough. */
export function PromptOutline({ groupId, sessionId, messages, target, onOpen }: PromptOutlineProps) {
  const { data } = useQuery(promptsQuery(groupId, sessionId))
  const prompts = useMemo(() => {
    const all = new Map([...(data ?? []), ...messages].filter(isPrompt).map((prompt) => [prompt.id, prompt]))
    return [...all.values()].sort((one, other) => one.order - other.order)
  }, [data, messages])
  if (data === undefined || prompts.length < 2) return null
  return (
    <nav aria-label="Prompts" className="hidden w-68 shrink-0 flex-col border-l border-line pt-3 xl:flex">
      <h2 className="px-4 pb-1 text-xs font-medium text-ink-faint">Prompts</h2>
      <PromptList prompts={prompts} target={target} onOpen={onOpen} />
    </nav>
  )
}

interface PromptListProps extends Pick<PromptOutlineProps, 'target' | 'onOpen'> {
  prompts: readonly TranscriptMessage[]
}

/** Only visible rows are in the document. */
function PromptList({ prompts, target, onOpen }: PromptListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: prompts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 4,
  })
  // The session opens at its end, and so does its outline.
  useLayoutEffect(() => virtual.scrollToEnd(), [virtual])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            className="absolute inset-x-0 top-0"
            style={{ height, transform: `translateY(${start}px)` }}
          >
            <PromptButton prompt={prompts[index]} target={target} onOpen={onOpen} />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface PromptButtonProps extends Pick<PromptOutlineProps, 'target' | 'onOpen'> {
  prompt: TranscriptMessage | undefined
}

function PromptButton({ prompt, target, onOpen }: PromptButtonProps) {
  if (!prompt) return null
  const { id, content, created_at } = prompt
  return (
    <button
      type="button"
      aria-current={id === target ? 'true' : undefined}
      onClick={() => onOpen(id)}
      className={clsx(
        'flex size-full items-baseline gap-2 px-4 py-1.5 text-left text-xs -outline-offset-2 hover:bg-hover',
        id === target ? 'bg-accent-soft text-accent' : 'text-ink-soft',
      )}
    >
      <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
        {(content ?? '').slice(0, 200)}
      </span>
      {created_at !== null && <span className="text-ink-faint">{minuteText(created_at)}</span>}
    </button>
  )
}
