import { useEffect, useState } from 'react'
import { ArrowDown } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { counted } from '../../../ui/quantity.ts'
import type { MessageListState } from './message-list.ts'

interface NewMessagesProps {
  state: MessageListState
  isFollowing: boolean
  onShow: () => void
}

/** The way to the end: with the number of messages that were written since the reader left it. */
export function NewMessages({ state, isFollowing, onShow }: NewMessagesProps) {
  const { messages, newer } = state
  const last = messages.at(-1)?.id
  const [seen, setSeen] = useState<string | undefined>()
  useEffect(() => {
    if (isFollowing || seen === undefined) setSeen(last)
  }, [isFollowing, last, seen])
  if (isFollowing) return null
  const place = messages.findLastIndex(({ id }) => id === seen)
  const count = newer === null && place >= 0 ? messages.length - 1 - place : 0
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
      <Button
        look={count > 0 ? 'primary' : 'plain'}
        size="small"
        icon={ArrowDown}
        className="pointer-events-auto animate-rise rounded-full! shadow-high"
        onClick={onShow}
      >
        {count > 0 ? counted(count, 'new message') : 'Newest messages'}
      </Button>
    </div>
  )
}
