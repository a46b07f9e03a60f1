import { useEffect, useState, type RefObject } from 'react'
import { Search, SendHorizontal, Square } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { ScreenProps } from '../screen.ts'
import { call } from '../../../api/client.ts'
import { useStandupCall } from '../standup-queries.ts'

export type ComposerMode = 'message' | 'research'

interface ComposerProps extends ScreenProps {
  field: RefObject<HTMLTextAreaElement | null>
  mode: ComposerMode
  onMode: (mode: ComposerMode) => void
}

const maxLength = { message: 65_536, research: 2_000 }

/** Says something to the agent, or looks something up. */
export function Composer({ initiative, state, field, mode, onMode }: ComposerProps) {
  const [text, setText] = useState('')
  const send = useStandupCall()
  const stop = useStandupCall()
  useEffect(() => {
    // On a phone the keyboard would cover the page.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
  const content = text.trim()
  const path = { id: initiative.id }
  const submit = () => {
    if (content === '' || send.isPending) return
    const say = (): Promise<unknown> =>
      mode === 'message'
        ? call('POST', '/api/initiatives/{id}/standup/message', { path, body: { content } })
        : call('POST', '/api/initiatives/{id}/standup/research', { path, body: { query: content } })
    send.mutate(say, { onSuccess: () => setText('') })
  }
  return (
    <div className="sticky bottom-3 z-10 mt-6 max-w-3xl space-y-2">
      {send.error && <FailureNotice error={send.error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="rounded-xl border border-field bg-surface shadow-high transition-colors focus-within:border-focus"
      >
        <textarea
          ref={field}
          aria-label={mode === 'message' ? 'Message' : 'What to look up'}
          placeholder={mode === 'message' ? 'Message the agent' : 'Search the platform and the web'}
          rows={1}
          maxLength={maxLength[mode]}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // While a word is being composed, Enter ends the word.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            submit()
          }}
          className="field-sizing-content block max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 text-[1rem] outline-none placeholder:text-ink-faint sm:text-base"
        />
        <div className="flex items-center justify-between gap-3 px-2.5 pb-2.5">
          <Segmented
            label="What to do"
            value={mode}
            onChange={(next) => {
              onMode(next)
              field.current?.focus()
            }}
            choices={[
              { id: 'message', label: 'Message' },
              { id: 'research', label: 'Research' },
            ]}
          />
          <div className="flex items-center gap-2">
            {state.isBusy && (
              <Button
                icon={Square}
                busy={stop.isPending}
                aria-label="Stop the agent"
                onClick={() =>
                  stop.mutate(() => call('POST', '/api/initiatives/{id}/standup/interrupt', { path }))
                }
              >
                Stop
              </Button>
            )}
            <Button
              type="submit"
              look="primary"
              icon={mode === 'message' ? SendHorizontal : Search}
              busy={send.isPending}
              disabled={content === ''}
            >
              {mode === 'message' ? 'Send' : 'Look up'}
            </Button>
          </div>
        </div>
      </form>
    </div>
  )
}
