import { Link } from '@tanstack/react-router'
import { CircleCheck, MessagesSquare } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { counted } from '../../../ui/quantity.ts'
import { BriefCard } from '../brief-card.tsx'
import type { ScreenProps } from '../screen.ts'
import { StandupFacts } from '../standup-facts.tsx'
import { Conversation } from '../talk/conversation.tsx'
import { DraftCard } from './draft-card.tsx'

/** An ended stand-up: its drafts, to approve or reject one by one, and what was said. */
export function ReviewScreen(props: ScreenProps) {
  const { initiative, state, mayTalk } = props
  const drafts = [...state.drafts.values()]
  const waiting = drafts.filter(({ status }) => status === 'draft').length
  return (
    <Page
      title={`Stand-up: ${initiative.title}`}
      actions={
        <Link to="/initiatives/$id" params={{ id: initiative.slug }} className={buttonClass()}>
          Open initiative
        </Link>
      }
    >
      <StandupFacts {...props} />
      <div className="space-y-5">
        <Summary {...props} total={drafts.length} waiting={waiting} />
        {drafts.map((draft) => (
          <DraftCard
            key={draft.id}
            groupId={props.group.id}
            initiativeId={initiative.id}
            draft={draft}
            maySettle={mayTalk}
          />
        ))}
        <details open={drafts.length === 0} className="rounded-xl border border-line bg-surface shadow-low">
          <summary className="cursor-pointer px-5 py-3.5 select-none">
            <h2 className="ml-1 inline text-base font-semibold">Conversation</h2>
            <span className="ml-2 text-sm text-ink-faint">
              {counted(state.items.filter(({ kind }) => kind === 'message').length, 'message')}
            </span>
          </summary>
          <div className="space-y-5 px-5 pb-5">
            {state.brief && <BriefCard brief={state.brief} />}
            {state.items.length === 0 ? (
              <EmptyState icon={MessagesSquare} title="Nothing was said">
                The stand-up ended before anyone spoke.
              </EmptyState>
            ) : (
              <Conversation {...props} mayTalk={false} isNarrow isReadOnly />
            )}
          </div>
        </details>
      </div>
    </Page>
  )
}

function Summary({ state, total, waiting }: ScreenProps & { total: number; waiting: number }) {
  if (total === 0)
    return (
      <Notice tone="info" title="The stand-up has ended">
        {state.ended?.reason === 'idle'
          ? 'Nothing happened for a day, so it was ended without drafts.'
          : 'Nothing was drafted, and nothing of the initiative has changed.'}
      </Notice>
    )
  if (waiting > 0)
    return (
      <Notice tone="warning" title={`${counted(waiting, 'draft')} to review`}>
        Nothing is saved to the initiative until you approve it. Read each, change what is not right, then
        approve or reject.
      </Notice>
    )
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-success">
      <CircleCheck aria-hidden className="size-4" /> Every draft is settled. The approved ones are in the
      initiative.
    </p>
  )
}
