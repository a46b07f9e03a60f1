import type { ReactNode } from 'react'
import { Hand } from 'lucide-react'
import type { WaitingFor } from '#agents/contract'
import type { CurrentGroup } from '../../../../api/session.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { ApprovalWait } from './approval-wait.tsx'
import { QuestionWait } from './question-wait.tsx'
import { ToolWait } from './tool-wait.tsx'
import { waitTitles } from './wait-titles.ts'

interface WaitingCardProps {
  group: CurrentGroup
  runId: string
  waitingFor: WaitingFor
}

/** What the agent needs from a person before it can continue. */
export function WaitingCard({ group, runId, waitingFor }: WaitingCardProps) {
  return (
    <section
      aria-label={waitTitles[waitingFor.kind].now}
      className="space-y-3 rounded-xl border border-primary bg-surface p-4 shadow-low"
    >
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <Hand aria-hidden className="size-4 text-accent" />
        {waitTitles[waitingFor.kind].now}
      </h2>
      {waitingFor.kind === 'approval' ? (
        <ApprovalWait groupId={group.id} waitingFor={waitingFor} />
      ) : (
        <Answerable group={group}>
          {(mayAnswer) =>
            waitingFor.kind === 'tool' ? (
              <ToolWait groupId={group.id} runId={runId} waitingFor={waitingFor} mayAnswer={mayAnswer} />
            ) : (
              <QuestionWait groupId={group.id} runId={runId} waitingFor={waitingFor} mayAnswer={mayAnswer} />
            )
          }
        </Answerable>
      )}
    </section>
  )
}

function Answerable({
  group,
  children,
}: {
  group: CurrentGroup
  children: (mayAnswer: boolean) => ReactNode
}) {
  const mayAnswer = group.role !== 'viewer'
  return (
    <>
      {children(mayAnswer)}
      {!mayAnswer && <Notice tone="info" title="A member, admin or owner of the group answers this." />}
    </>
  )
}
