import { useEffect, useRef } from 'react'
import { clsx } from 'clsx'
import { SendHorizontal, Square } from 'lucide-react'
import { shortcut } from '../../shell/shortcut.ts'
import { Button } from '../../ui/button.tsx'

interface ComposerProps {
  text: string
  onText: (text: string) => void
  onSend: () => void
  onStop: () => void
  isStreaming: boolean
  canSend: boolean
  /** Sticks to the bottom while the conversation scrolls. */
  pinned: boolean
}

export function Composer({ text, onText, onSend, onStop, isStreaming, canSend, pinned }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a phone the keyboard would cover the page.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
      className={clsx(
        'rounded-xl border border-field bg-surface transition-colors focus-within:border-focus',
        pinned ? 'sticky bottom-3 shadow-high' : 'shadow-low',
      )}
    >
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Message the model"
        rows={2}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          onSend()
        }}
        className="field-sizing-content block max-h-60 min-h-18 w-full resize-none bg-transparent px-4 pt-3 text-[1rem] outline-none placeholder:text-ink-faint sm:text-base"
      />
      <div className="flex items-center justify-end gap-3 px-2.5 pb-2.5">
        {!isStreaming && (
          <span className="hidden text-xs text-ink-faint sm:inline">{shortcut('Enter')} to send</span>
        )}
        {isStreaming ? (
          <Button icon={Square} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" look="primary" icon={SendHorizontal} disabled={!canSend}>
            Send
          </Button>
        )}
      </div>
    </form>
  )
}
