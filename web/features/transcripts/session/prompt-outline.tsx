import { useEffect, useMemo, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { TranscriptMessage } from '#transcripts/contract'
import { promptsQuery } from '../transcript-queries.ts'
import { clockTime } from '../transcript-words.ts'

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

/** What was asked in the session, on screens that are wide enough. */
export function PromptOutline({ groupId, sessionId, messages, target, onOpen }: PromptOutlineProps) {
  const { data } = useQuery(promptsQuery(groupId, sessionId))
  const prompts = useMemo(() => {
    const all = new Map([...(data ?? []), ...messages].filter(isPrompt).map((prompt) => [prompt.id, prompt]))
    return [...all.values()].sort((one, other) => one.order - other.order)
  }, [data, messages])
  const outline = useRef<HTMLElement>(null)
  const isReady = data !== undefined
  useEffect(() => {
    // The session opens at its end, and so does its outline.
    outline.current?.scrollTo({ top: outline.current.scrollHeight })
  }, [isReady])
  if (!isReady || prompts.length < 2) return null
  return (
    <nav
      ref={outline}
      aria-label="Prompts"
      className="hidden w-68 shrink-0 overflow-y-auto border-l border-line py-3 xl:block"
    >
      <h2 className="px-4 pb-1 text-xs font-medium text-ink-faint">Prompts</h2>
      <ol>
        {prompts.map(({ id, content, created_at }) => (
          <li key={id} className="[contain-intrinsic-height:3rem] [content-visibility:auto]">
            <button
              type="button"
              aria-current={id === target ? 'location' : undefined}
              onClick={() => onOpen(id)}
              className={clsx(
                'flex w-full items-baseline gap-2 px-4 py-1.5 text-left text-xs -outline-offset-2 hover:bg-hover',
                id === target ? 'bg-accent-soft text-accent' : 'text-ink-soft',
              )}
            >
              <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
                {(content ?? '').slice(0, 200)}
              </span>
              {created_at !== null && <span className="text-ink-faint">{clockTime(created_at)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
