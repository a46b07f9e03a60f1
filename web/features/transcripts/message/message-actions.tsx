import { Link2 } from 'lucide-react'
import { toast } from 'sonner'
import { IconButton } from '../../../ui/button.tsx'
import { CopyButton, copyText } from '../../../ui/copy-button.tsx'

/** The address of a message: it opens among its neighbours. */
export const messageLink = (origin: string, sessionId: string, messageId: string): string =>
  `${origin}/transcripts/${sessionId}?message=${messageId}`

export const copyMessageLink = (sessionId: string, messageId: string): void =>
  void copyText(messageLink(location.origin, sessionId, messageId)).then(
    (isCopied) => isCopied && toast.success('Link copied'),
  )

interface MessageActionsProps {
  sessionId: string
  messageId: string
  /** What is copied; without text only the link. */
  text: string
}

/** Visible while the pointer or the focus is in the row, and always where there is no pointer. */
export function MessageActions({ sessionId, messageId, text }: MessageActionsProps) {
  return (
    <span className="flex shrink-0 opacity-0 transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100">
      {text !== '' && <CopyButton text={text} what="message" className="size-6" />}
      <IconButton
        label="Copy link to this message"
        icon={Link2}
        className="size-6"
        onClick={() => copyMessageLink(sessionId, messageId)}
      />
    </span>
  )
}
