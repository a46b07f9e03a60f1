import { clsx } from 'clsx'
import { Bot, Brain, FoldVertical, Info, MessageSquareDashed, User } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TranscriptMessage } from '#transcripts/contract'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { ClampedText } from '../../../ui/clamped-text.tsx'
import { CutNote } from './cut-note.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageTime } from './message-time.tsx'
import { useSessionPlace } from './session-context.ts'

/** Markdown of longer texts takes too long to draw. */
const maxMarkdown = 50_000

const isLine = (text: string): boolean => text.length < 160 && !text.includes('\n')

interface MessageProps {
  message: TranscriptMessage
}

/** What a person wrote. */
export function Prompt({ message }: MessageProps) {
  return (
    <div className="rounded-xl border border-primary/45 bg-accent-soft px-4 pt-2 pb-3">
      <MessageHead message={message} icon={User} name="Prompt" />
      <LongText message={message} />
      {message.cut && <CutNote />}
    </div>
  )
}

export function Answer({ message }: MessageProps) {
  const text = message.content ?? ''
  return (
    <div className="px-1">
      <MessageHead message={message} icon={Bot} name={message.model ?? 'Assistant'} />
      {text.length > maxMarkdown ? (
        <ClampedText id={message.id} text={text} what="Message" />
      ) : (
        <Markdown source={text} />
      )}
      {message.cut && <CutNote />}
    </div>
  )
}

/** Typed text as it was typed; a long paste is folded. */
function LongText({ message }: MessageProps) {
  const text = message.content ?? ''
  if (text.length > 6_000) return <ClampedText id={message.id} text={text} what="Prompt" />
  return <p className="leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
}

interface MessageHeadProps extends MessageProps {
  icon: LucideIcon
  name: string
}

function MessageHead({ message, icon: Icon, name }: MessageHeadProps) {
  const { session } = useSessionPlace()
  return (
    <div className="mb-0.5 flex min-h-6 items-center gap-1.5 text-xs text-ink-faint">
      <Icon aria-hidden className="size-3.5" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <MessageActions sessionId={session.id} messageId={message.id} text={message.content ?? ''} />
      <MessageTime time={message.created_at} />
    </div>
  )
}

export function Thinking({ message }: MessageProps) {
  const text = message.content ?? ''
  if (text.trim() === '')
    return (
      <p className="flex min-h-6 items-center gap-1.5 pl-5 text-xs text-ink-faint">
        <Brain aria-hidden className="size-3.5" /> Thinking, not recorded by the assistant
      </p>
    )
  return (
    <FoldedText message={message} icon={Brain} label="Thinking">
      <div className="border-l-2 border-line pl-3 text-ink-soft">
        <Markdown source={text.slice(0, maxMarkdown)} />
      </div>
    </FoldedText>
  )
}

/** Text that the assistant, a hook or a notification added: grey and folded. */
export function Injected({ message }: MessageProps) {
  return (
    <FoldedText message={message} icon={MessageSquareDashed} label="Added by the assistant">
      <ClampedText id={message.id} text={message.content ?? ''} what="Added text" />
    </FoldedText>
  )
}

export function SystemText({ message }: MessageProps) {
  const text = message.content ?? ''
  if (isLine(text))
    return (
      <p
        className={clsx(
          'flex min-h-6 items-center gap-1.5 pl-5 text-xs',
          message.is_error ? 'text-danger' : 'text-ink-faint',
        )}
      >
        <Info aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      </p>
    )
  return (
    <FoldedText message={message} icon={Info} label="System">
      <ClampedText
        id={message.id}
        text={text}
        what="System message"
        tone={message.is_error ? 'error' : 'plain'}
      />
    </FoldedText>
  )
}

/** Where the assistant replaced the conversation by a summary of it. */
export function Compaction({ message }: MessageProps) {
  const text = message.content ?? ''
  if (isLine(text))
    return (
      <p className="flex items-center justify-center gap-1.5 border-t border-dashed border-line-strong pt-1.5 text-xs text-ink-faint">
        <FoldVertical aria-hidden className="size-3.5" /> {text || 'Conversation compacted'}
      </p>
    )
  return (
    <div className="border-y border-dashed border-line-strong py-1.5">
      <FoldedText message={message} icon={FoldVertical} label="Summary after compaction">
        <Markdown source={text.slice(0, maxMarkdown)} />
      </FoldedText>
    </div>
  )
}

interface FoldedTextProps extends MessageProps {
  icon: LucideIcon
  label: string
  children: ReactNode
}

function FoldedText({ message, icon, label, children }: FoldedTextProps) {
  const { session, target } = useSessionPlace()
  const text = message.content ?? ''
  return (
    <Fold
      id={`fold ${message.id}`}
      icon={icon}
      label={label}
      excerpt={text.slice(0, 300).replaceAll(/\s+/g, ' ')}
      isOpenAtFirst={message.id === target || message.is_error}
      extra={
        <>
          <MessageActions sessionId={session.id} messageId={message.id} text={text} />
          <MessageTime time={message.created_at} />
        </>
      }
    >
      {children}
      {message.cut && <CutNote />}
    </Fold>
  )
}
