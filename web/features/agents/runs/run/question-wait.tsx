import { useState } from 'react'
import { Send } from 'lucide-react'
import type { WaitingFor } from '#agents/contract'
import { shortcut } from '../../../../shell/shortcut.ts'
import { Button } from '../../../../ui/button.tsx'
import { Textarea } from '../../../../ui/input.tsx'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { useAnswer } from './use-answer.ts'

interface QuestionWaitProps {
  groupId: string
  runId: string
  waitingFor: Extract<WaitingFor, { kind: 'question' }>
  mayAnswer: boolean
}

const maxAnswer = 20_000

export function QuestionWait({ groupId, runId, waitingFor, mayAnswer }: QuestionWaitProps) {
  const [text, setText] = useState('')
  const answer = useAnswer(groupId, runId, waitingFor)
  const send = () => text.trim() !== '' && !answer.isPending && answer.mutate({ text: text.trim() })
  return (
    <>
      <Markdown source={waitingFor.question} />
      {mayAnswer && (
        <form
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <Textarea
            aria-label="Answer"
            className="max-h-64 min-h-16"
            maxLength={maxAnswer}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              send()
            }}
          />
          <div className="flex items-center gap-3">
            <Button
              type="submit"
              look="primary"
              icon={Send}
              disabled={text.trim() === ''}
              busy={answer.isPending}
            >
              Send answer
            </Button>
            <span className="hidden text-xs text-ink-faint sm:inline">{shortcut('Enter')} to send</span>
          </div>
        </form>
      )}
      {answer.error && <FailureNotice error={answer.error} />}
    </>
  )
}
