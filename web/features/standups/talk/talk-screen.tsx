import { useRef, useState } from 'react'
import { CircleStop, Keyboard, UserPlus } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { KeyGroup } from '../../../ui/key-sheet.tsx'
import { showKeys, usePageKeys } from '../../../ui/page-keys.ts'
import { Page } from '../../../ui/page.tsx'
import { useKeys } from '../../../ui/use-keys.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { BriefCard } from '../brief-card.tsx'
import { ProposalCard } from '../proposals/proposal-card.tsx'
import type { ScreenProps } from '../screen.ts'
import { StandupFacts } from '../standup-facts.tsx'
import { Composer, type ComposerMode } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { EndDialog } from './end-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'

const keys: readonly KeyGroup[] = [
  {
    title: 'Conversation',
    keys: [
      ['m', 'Write a message'],
      ['r', 'Look something up'],
      ['Enter', 'Send'],
      ['Shift', 'Enter', 'New line'],
    ],
  },
  {
    title: 'Stand-up',
    keys: [['e', 'End the stand-up']],
  },
]

/** An open stand-up: the brief, the conversation, and at its side what the agent proposes. */
export function TalkScreen(props: ScreenProps) {
  const { initiative, session, state, mayTalk, mayEnd } = props
  const [open, setOpen] = useState<'end' | 'invite' | undefined>()
  const [mode, setMode] = useState<ComposerMode>('message')
  const field = useRef<HTMLTextAreaElement>(null)
  const isNarrow = useNarrow()
  const write = (next: ComposerMode) => () => {
    setMode(next)
    field.current?.focus()
  }
  useKeys(mayTalk ? { m: write('message'), r: write('research'), e: () => setOpen('end') } : {})
  usePageKeys(keys)
  const proposals = [...state.proposals.values()]
  return (
    <Page
      title={`Stand-up: ${initiative.title}`}
      wide
      actions={
        <>
          {!isNarrow && (
            <IconButton label="Keyboard shortcuts" icon={Keyboard} className="size-9" onClick={showKeys} />
          )}
          {mayTalk && (
            <Button icon={UserPlus} onClick={() => setOpen('invite')}>
              Invite
            </Button>
          )}
          {mayEnd && (
            <Button icon={CircleStop} onClick={() => setOpen('end')}>
              End stand-up
            </Button>
          )}
        </>
      }
    >
      <StandupFacts {...props} />
      {state.brief && <BriefCard brief={state.brief} />}
      <div className="mt-5 grid items-start gap-x-6 gap-y-5 md:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-h-[40dvh] min-w-0 flex-col">
          <div className="flex-1">
            <Conversation {...props} isNarrow={isNarrow} />
          </div>
          {mayTalk ? (
            <Composer {...props} field={field} mode={mode} onMode={setMode} />
          ) : (
            <p className="mt-6 text-sm text-ink-faint">
              {`You are reading along. ${session.started_by ?? 'The person who started it'} can invite you to speak.`}
            </p>
          )}
        </div>
        {!isNarrow && (
          <section
            aria-labelledby="proposals"
            className="sticky top-6 max-h-[calc(100dvh-3rem)] min-w-0 space-y-3 overflow-y-auto"
          >
            <h2 id="proposals" className="text-sm font-semibold">
              Proposals
            </h2>
            {proposals.length === 0 && (
              <p className="rounded-xl border border-dashed border-line-strong px-4 py-6 text-sm text-ink-faint">
                Decisions and changes of confidence that the agent proposes appear here. At the end those that
                you accepted are drafted as yours, the others as proposals. A line that begins with
                “Decision:” is drafted too; add “because …” to give the reason.
              </p>
            )}
            {proposals.map((proposal) => (
              <ProposalCard
                key={proposal.id}
                initiativeId={initiative.id}
                proposal={proposal}
                maySettle={mayTalk}
              />
            ))}
          </section>
        )}
      </div>
      {open === 'invite' && <InviteDialog {...props} onClose={() => setOpen(undefined)} />}
      {open === 'end' && <EndDialog {...props} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
