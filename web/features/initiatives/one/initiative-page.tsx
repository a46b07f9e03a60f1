import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EllipsisVertical, MessagesSquare, Pencil, Trash2 } from 'lucide-react'
import type { Initiative } from '#initiatives/contract'
import { useCurrentGroup, mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { CostLayers } from '../../links/index.ts'
import { InitiativeDialog } from '../initiative-dialog.tsx'
import { initiativesKey, initiativeQuery, standupsQuery } from '../initiative-queries.ts'
import { statusNames, statusTones } from '../initiative-words.ts'
import { CostCard } from './cost-card.tsx'
import { CriteriaCard } from './criteria-card.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { DecisionsCard } from './decisions-card.tsx'
import { DocumentPanel, DocumentsCard } from './documents-card.tsx'
import { FindingsCard } from './findings-card.tsx'
import { LinksCard } from './links-card.tsx'
import type { Place } from './place.ts'
import { QuestionsCard } from './questions-card.tsx'
import { call } from '../../../api/client.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { StandupsCard } from './standups-card.tsx'

const route = getRouteApi('/shell/initiatives/$id')

export function InitiativePage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  return group === null ? <NoGroup /> : <Found key={`${group.id} ${id}`} group={group} id={id} />
}

function Found({ group, id }: { group: CurrentGroup; id: string }) {
  const { data, error, refetch } = useQuery(initiativeQuery(group.id, id))
  if (error && !data)
    return <RecordFailure error={error} noun="initiative" to="/initiatives" onRetry={refetch} />
  if (!data) return <PageSkeleton />
  return <Whole place={{ groupId: group.id, initiative: data, mayChange: mayWrite(group) }} />
}

function Whole({ place }: { place: Place }) {
  const { initiative } = place
  return (
    <>
      <BackLink to="/initiatives">Initiatives</BackLink>
      <Page title={initiative.title} wide actions={place.mayChange && <Actions place={place} />}>
        <Facts initiative={initiative} />
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="min-w-0 space-y-5">
            {initiative.description.trim() !== '' && (
              <Card title="Goal">
                <Markdown source={initiative.description} />
              </Card>
            )}
            <CriteriaCard place={place} />
            <QuestionsCard place={place} />
            <FindingsCard place={place} />
            <DecisionsCard place={place} />
          </div>
          <div className="min-w-0 space-y-5">
            <StandupsCard place={place} />
            <DocumentsCard place={place} />
            <LinksCard place={place} />
            <CostCard place={place} />
            <CostLayers
              groupId={place.groupId}
              type="initiative"
              id={initiative.id}
              title="Cost with its tickets"
            />
          </div>
        </div>
        <OpenPanel place={place} />
      </Page>
    </>
  )
}

function Facts({ initiative }: { initiative: Initiative }) {
  return (
    <p className="-mt-4 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-soft">
      <Badge tone={statusTones[initiative.status]}>{statusNames[initiative.status]}</Badge>
      {initiative.owner !== null && <span>{`Owner: ${initiative.owner}`}</span>}
      <span className="text-ink-faint">
        changed <MomentText time={initiative.updated_at} />
      </span>
    </p>
  )
}

function Actions({ place }: { place: Place }) {
  const { groupId, initiative } = place
  const navigate = route.useNavigate()
  const { data: standups } = useQuery(standupsQuery(groupId, initiative.id))
  const [open, setOpen] = useState<'edit' | 'remove' | undefined>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Link to="/initiatives/$id/standup" params={{ id: initiative.slug }} className={buttonClass('primary')}>
        <MessagesSquare aria-hidden className="size-4 shrink-0" />
        {standups?.[0]?.status === 'open' ? 'Join stand-up' : 'Start stand-up'}
      </Link>
      <Button icon={Pencil} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu trigger={<IconButton label="More actions" icon={EllipsisVertical} className="size-9" />}>
        <MenuItem icon={Trash2} danger onSelect={() => setOpen('remove')}>
          Delete initiative
        </MenuItem>
      </Menu>
      {open === 'edit' && <InitiativeDialog groupId={groupId} initiative={initiative} onClose={close} />}
      {open === 'remove' && (
        <DeleteDialog
          queryKey={initiativesKey(place.groupId)}
          verb="Remove"
          remove={() => call('DELETE', '/api/initiatives/{id}', { path: { id: initiative.id } })}
          noun="initiative"
          onClose={close}
          onDeleted={() => void navigate({ to: '/initiatives' })}
        >
          <p>
            Its criteria, questions, decisions, documents and stand-ups are deleted. Tickets stay. To keep it,
            set its status to Done.
          </p>
        </DeleteDialog>
      )}
    </>
  )
}

/** The decision or the document that the address names. */
function OpenPanel({ place }: { place: Place }) {
  const { decision: decisionId, document: documentId } = route.useSearch()
  const navigate = route.useNavigate()
  const onClose = () => void navigate({ search: {}, resetScroll: false })
  const decision = place.initiative.decisions.find(({ id }) => id === decisionId)
  if (decision) return <DecisionPanel key={decision.id} place={place} decision={decision} onClose={onClose} />
  const document = place.initiative.artifacts.find(({ id }) => id === documentId)
  return document ? <DocumentPanel key={document.id} document={document} onClose={onClose} /> : null
}
