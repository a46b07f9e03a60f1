import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { toast } from 'sonner'
import { X } from 'lucide-react'
import type { Decision } from '#initiatives/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { exactTime } from '../../../ui/moment.ts'
import { FailureNotice } from '../../../ui/notice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { decisionTones } from '../initiative-words.ts'
import { call } from '../../../api/client.ts'
import { useInitiativeChange } from '../initiative-queries.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { decisionMarkdown } from './decision-markdown.ts'
import { EvidenceList, readEvidence } from './evidence-list.tsx'
import type { Place } from './place.ts'

interface DecisionPanelProps {
  place: Place
  decision: Decision
  onClose: () => void
}

/** One decision as a record to read: context, options, outcome, consequences, and what it replaced. */
export function DecisionPanel({ place, decision, onClose }: DecisionPanelProps) {
  return (
    <SidePanel open onClose={onClose} title={`Decision: ${decision.title}`}>
      <div className="flex items-start gap-3 border-b border-line px-5 py-4">
        <div className="min-w-0 flex-1">
          <p className="text-xs text-ink-faint">Decision</p>
          <h2 className="text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">{decision.title}</h2>
        </div>
        <CopyButton text={decisionMarkdown(decision)} what="as Markdown" />
        <IconButton label="Close" icon={X} onClick={onClose} />
      </div>
      <article className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 py-5">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          <dt className="text-ink-faint">Status</dt>
          <dd>
            <Badge tone={decisionTones[decision.status]}>{decision.status}</Badge>
          </dd>
          <dt className="text-ink-faint">Decided by</dt>
          <dd className="[overflow-wrap:anywhere]">{decision.decided_by}</dd>
          <dt className="text-ink-faint">Date</dt>
          <dd>{exactTime(decision.decided_at)}</dd>
          <Relation place={place} name="Supersedes" id={decision.supersedes} />
          <Relation place={place} name="Superseded by" id={decision.superseded_by} />
        </dl>
        <Section title="Context and problem">{decision.context}</Section>
        {decision.options.length > 0 && (
          <section>
            <h3 className="mb-1.5 text-sm font-semibold">Considered options</h3>
            <ul className="list-disc space-y-1 pl-5 text-sm">
              {decision.options.map((option) => (
                <li key={option} className="[overflow-wrap:anywhere]">
                  {option}
                </li>
              ))}
            </ul>
          </section>
        )}
        <Section title="Decision">{decision.decision}</Section>
        <Section title="Rationale">{decision.rationale}</Section>
        <Section title="Consequences">{decision.consequences}</Section>
        {readEvidence(decision.evidence).length > 0 && (
          <section>
            <h3 className="text-sm font-semibold">Evidence</h3>
            <EvidenceList items={decision.evidence} />
          </section>
        )}
      </article>
      {place.mayChange && <Actions place={place} decision={decision} />}
    </SidePanel>
  )
}

function Section({ title, children }: { title: string; children: string }): ReactNode {
  if (children.trim() === '') return null
  return (
    <section className="text-sm">
      <h3 className="mb-1.5 font-semibold">{title}</h3>
      <Markdown source={children} />
    </section>
  )
}

/** Undefined where the other decision is not one of this initiative. */
function Relation({ place, name, id }: { place: Place; name: string; id: string | null }): ReactNode {
  const other = place.initiative.decisions.find((decision) => decision.id === id)
  if (!other) return null
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd>
        <Link
          to="/initiatives/$id"
          params={{ id: place.initiative.slug }}
          search={{ decision: other.id }}
          resetScroll={false}
          className="[overflow-wrap:anywhere] text-accent hover:underline"
        >
          {other.title}
        </Link>
      </dd>
    </>
  )
}

function Actions({ place, decision }: { place: Place; decision: Decision }) {
  const [isReplacing, setIsReplacing] = useState(false)
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  if (decision.status === 'superseded') return null
  const next = decision.status === 'accepted' ? 'deprecated' : 'accepted'
  const onSuccess = () => toast.success(`Decision is ${next}`)
  return (
    <div className="space-y-3 border-t border-line px-5 py-4">
      {error && <FailureNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setIsReplacing(true)}>Supersede</Button>
        <Button
          look="quiet"
          busy={isPending}
          onClick={() =>
            mutate(
              () =>
                call('PATCH', '/api/initiatives/{id}/decisions/{detail}', {
                  path: { id: place.initiative.id, detail: decision.id },
                  body: { status: next },
                }),
              { onSuccess },
            )
          }
        >
          {next === 'deprecated' ? 'Deprecate' : 'Accept again'}
        </Button>
      </div>
      {isReplacing && (
        <DecisionDialog place={place} supersedes={decision} onClose={() => setIsReplacing(false)} />
      )}
    </div>
  )
}
