import { useState } from 'react'
import { Check, X } from 'lucide-react'
import type { WaitingFor } from '#agents/contract'
import { Button } from '../../../../ui/button.tsx'
import { Input } from '../../../../ui/input.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { CallArguments } from './call-card.tsx'
import { useAnswer } from './use-answer.ts'

interface ToolWaitProps {
  groupId: string
  runId: string
  waitingFor: Extract<WaitingFor, { kind: 'tool' }>
  mayAnswer: boolean
}

/** A call that the permissions of the agent let a person decide. */
export function ToolWait({ groupId, runId, waitingFor, mayAnswer }: ToolWaitProps) {
  const [text, setText] = useState('')
  const answer = useAnswer(groupId, runId, waitingFor)
  const decide = (decision: 'approve' | 'deny') =>
    answer.mutate({ decision, ...(decision === 'deny' && text.trim() !== '' && { text: text.trim() }) })
  return (
    <>
      <p className="text-sm text-ink-soft">
        The agent wants to call <span className="font-mono text-ink">{waitingFor.tool}</span>.
      </p>
      <CallArguments given={waitingFor.arguments} />
      {mayAnswer && (
        <>
          <Input
            aria-label="Reason for denying"
            placeholder="Reason for denying (optional)"
            maxLength={1_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="flex gap-2">
            <Button
              look="primary"
              icon={Check}
              busy={answer.isPending && answer.variables.decision === 'approve'}
              onClick={() => decide('approve')}
            >
              Allow call
            </Button>
            <Button
              icon={X}
              busy={answer.isPending && answer.variables.decision === 'deny'}
              onClick={() => decide('deny')}
            >
              Deny call
            </Button>
          </div>
        </>
      )}
      {answer.error && <FailureNotice error={answer.error} />}
    </>
  )
}
