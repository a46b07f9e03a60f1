import { useEffect, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import type { Model } from '#gateway/contract'
import type { Role } from '#access/contract'
import { mayManage } from '../../api/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ResponseView } from './response-view.tsx'
import type { Turn } from './types.ts'

interface ConversationViewProps {
  turns: readonly Turn[]
  models: readonly Model[]
  onRetry: () => void
}

export function ConversationView({ turns, models, onRetry }: ConversationViewProps) {
  useFollow(turns)
  return (
    <ol aria-label="Conversation" className="space-y-6">
      {turns.map((turn, index) => (
        <li key={turn.id}>
          {turn.role === 'user' ? (
            <div className="ml-auto w-fit max-w-[85%] rounded-2xl rounded-br-md bg-hover px-4 py-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap">
              <span className="sr-only">You: </span>
              {turn.text}
            </div>
          ) : (
            <ResponseView
              turn={turn}
              model={models.find(({ id }) => id === turn.model)}
              onRetry={index === turns.length - 1 ? onRetry : undefined}
            />
          )}
        </li>
      ))}
    </ol>
  )
}

/** Follows the end of the conversation while it grows, unless the user scrolled away. */
function useFollow(turns: readonly Turn[]): void {
  const isAtEnd = useRef(true)
  const count = useRef(0)
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      isAtEnd.current = scrollHeight - clientHeight - scrollY < 80
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  useEffect(() => {
    const hasNewTurn = turns.length > count.current
    count.current = turns.length
    if (hasNewTurn || isAtEnd.current) scrollTo({ top: document.documentElement.scrollHeight })
  }, [turns])
}

const starters = [
  'Explain the difference between a process and a thread in five short points.',
  'Write a Python function that finds the longest common prefix of a list of words.',
  'What should I check first when an API responds slowly?',
]

export function Starters({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <div className="grid h-full place-items-center rounded-xl border border-dashed border-line-strong px-5 py-10">
      <div className="w-full max-w-md">
        <h2 className="text-center text-base font-semibold">Start a conversation</h2>
        <p className="mt-1 text-center text-sm text-ink-soft">
          Each response shows its tokens, cost and duration. Try one of these:
        </p>
        <ul className="mt-5 space-y-2">
          {starters.map((starter) => (
            <li key={starter}>
              <button
                type="button"
                onClick={() => onChoose(starter)}
                className="w-full rounded-lg border border-line bg-surface px-3.5 py-2.5 text-left text-sm text-ink-soft shadow-low transition-colors hover:border-line-strong hover:text-ink"
              >
                {starter}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Models need a provider key. */
export function NoModels({ role }: { role: Role }) {
  return (
    <EmptyState
      icon={Network}
      title="No models yet"
      action={
        <Link to="/providers" className={buttonClass(mayManage(role) ? 'primary' : 'plain')}>
          {mayManage(role) ? 'Add provider key' : 'Open providers'}
        </Link>
      }
    >
      Models appear here once a provider has a key.{' '}
      {mayManage(role) ? 'Add one to get started.' : 'Ask an owner or admin of the group to add one.'}
    </EmptyState>
  )
}
