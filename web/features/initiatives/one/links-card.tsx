import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleDot, Globe, MessagesSquare, NotebookPen, Plus, Rocket } from 'lucide-react'
import type { InitiativeLink } from '#initiatives/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { call } from '../../../api/client.ts'
import { initiativesKey, ticketsQuery, useInitiativeChange, useTicketLink } from '../initiative-queries.ts'
import { DetailMenu } from './detail-menu.tsx'
import { CitedLink } from './evidence-list.tsx'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { readLink } from './read-link.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'

const icons = { deployment: Rocket, devlog: NotebookPen, transcript: MessagesSquare, url: Globe }

const addressOf = ({ kind, target }: InitiativeLink): string =>
  kind === 'url' ? target : kind === 'deployment' ? '/deployments' : `/${kind}s/${target}`

export function LinksCard({ place }: { place: Place }) {
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<InitiativeLink | undefined>()
  const { links } = place.initiative
  const { data: tickets } = useQuery(ticketsQuery(place.groupId, place.initiative.id))
  const isEmpty = links.length === 0 && tickets?.data.length === 0
  return (
    <Card
      title="Links"
      action={
        place.mayChange && (
          <Button size="small" icon={Plus} onClick={() => setIsAdding(true)}>
            Add link
          </Button>
        )
      }
    >
      <div className="space-y-4">
        {isEmpty && !isAdding && (
          <p className="text-sm text-ink-faint">
            Tickets, deployments, devlogs, transcripts and pages that belong to it.
          </p>
        )}
        <ul className="space-y-2 text-sm">
          {tickets?.data.map((ticket) => (
            <li key={ticket.id} className="flex items-start gap-2">
              <CircleDot aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
              <Link
                to="/tickets/$id"
                params={{ id: ticket.id }}
                className="min-w-0 flex-1 [overflow-wrap:anywhere] hover:underline"
              >
                {ticket.title}
              </Link>
              <Badge tone={ticket.status === 'done' ? 'success' : 'neutral'}>
                {ticket.status.replace('_', ' ')}
              </Badge>
            </li>
          ))}
          {links.map((link) => {
            const Icon = icons[link.kind]
            return (
              <li key={link.id} className="flex items-start gap-2">
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
                <span className="min-w-0 flex-1">
                  <CitedLink title={link.title} url={addressOf(link)} />
                  <span className="sr-only">{` (${link.kind})`}</span>
                </span>
                {place.mayChange && (
                  <DetailMenu noun="link" name={link.title} onRemove={() => setRemoved(link)} />
                )}
              </li>
            )
          })}
        </ul>
        {tickets !== undefined && tickets.next_cursor !== null && (
          <p className="text-xs text-ink-faint">The newest 10 tickets are shown.</p>
        )}
        {isAdding && <LinkForm place={place} onClose={() => setIsAdding(false)} />}
      </div>
      {removed && (
        <DeleteDialog
          queryKey={initiativesKey(place.groupId)}
          verb="Remove"
          remove={() =>
            call('DELETE', '/api/initiatives/{id}/links/{detail}', {
              path: { id: place.initiative.id, detail: removed.id },
            })
          }
          noun="link"
          onClose={() => setRemoved(undefined)}
        >
          <p>What it leads to stays.</p>
        </DeleteDialog>
      )}
    </Card>
  )
}

function LinkForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const change = useInitiativeChange(place.groupId)
  const ticket = useTicketLink(place.groupId, place.initiative.id)
  const found = readLink(address, location.origin)
  const submit = () => {
    if (found?.kind === 'ticket') ticket.mutate(found.target, { onSuccess: onClose })
    else
      change.mutate(
        () =>
          call('POST', '/api/initiatives/{id}/links', {
            path: { id: place.initiative.id },
            body: {
              kind: 'url',
              target: address.trim(),
              ...found,
              ...(title.trim() && { title: title.trim() }),
            },
          }),
        { onSuccess: onClose },
      )
  }
  const error = ticket.error ?? change.error
  return (
    <InPlaceForm
      label="Add link"
      action="Add link"
      busy={change.isPending || ticket.isPending}
      error={error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        label="Address"
        required
        autoFocus
        maxLength={2000}
        hint={
          found
            ? `Links a ${found.kind === 'url' ? 'web page' : found.kind}.`
            : 'Paste the address of a ticket, devlog, transcript or web page.'
        }
        error={errorOf(error, 'target')}
        value={address}
        onChange={setAddress}
      />
      {found?.kind !== 'ticket' && (
        <TextField
          label="Title"
          maxLength={300}
          error={errorOf(error, 'title')}
          value={title}
          onChange={setTitle}
        />
      )}
    </InPlaceForm>
  )
}
