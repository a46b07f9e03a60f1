import { useEffect, useRef } from 'react'
import { StatusDot } from '../../../ui/status-dot.tsx'
import type { ScreenProps } from '../screen.ts'
import type { Item } from '../standup-state.ts'
import { ConversationItem } from './conversation-item.tsx'

interface ConversationProps extends ScreenProps {
  isNarrow: boolean
  /** Of a stand-up that has ended: the page stays where it is. */
  isReadOnly?: boolean
}

const none: readonly Item[] = []

/** What was said, oldest first; it grows while the agent speaks. */
export function Conversation(props: ConversationProps) {
  const { state } = props
  useFollow(props.isReadOnly === true ? none : state.items)
  const last = state.items.at(-1)
  const isSpeaking = last?.kind === 'message' && last.state === 'streaming'
  return (
    <div role="log" aria-label="Conversation" aria-busy={state.isBusy} className="max-w-3xl space-y-5">
      {state.items.map((item) => (
        <ConversationItem key={item.key} {...props} item={item} />
      ))}
      {state.isBusy && !isSpeaking && (
        <p className="text-sm text-ink-soft">
          <StatusDot status="warning" blinking>
            {state.items.length === 0 ? 'The agent reads the initiative…' : 'The agent is working…'}
          </StatusDot>
        </p>
      )}
    </div>
  )
}

/** Follows the end of the conversation while it grows, unless the reader scrolled away; what oneself says is shown. */
function useFollow(items: readonly Item[]): void {
  const isAtEnd = useRef(false)
  const said = items.filter((item) => item.kind === 'message' && item.role === 'user').length
  const before = useRef(0)
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      isAtEnd.current = scrollHeight - clientHeight - scrollY < 120
    }
    onScroll()
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  useEffect(() => {
    const isNew = said > before.current
    before.current = said
    if (isNew || isAtEnd.current) scrollTo({ top: document.documentElement.scrollHeight })
  }, [items, said])
}
