import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical, EyeOff, Plus, Trash2 } from 'lucide-react'
import type { Link, ThingRef } from '#links/contract'
import { call } from '../../api/client.ts'
import { mayWrite, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddLinkDialog } from './add-link-dialog.tsx'
import { linksKey, linksQuery } from './link-queries.ts'
import { howText, howTones, typeIcons, typeNames } from './link-words.ts'
import { ThingLink } from './thing-link.tsx'

interface LinkedCardProps {
  group: CurrentGroup
  thing: ThingRef
}

const shownAtFirst = 8

/** What belongs to a thing, by title, with how that was found. */
export function LinkedCard({ group, thing }: LinkedCardProps) {
  const { data, error, refetch } = useQuery(linksQuery(group.id, thing))
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Link | undefined>()
  const [isWhole, setWhole] = useState(false)
  const links = data?.filter(({ from, to }) => from.type !== 'request' && to.type !== 'request') ?? []
  const shown = isWhole ? links : links.slice(0, shownAtFirst)
  return (
    <Card
      title="Linked"
      action={
        mayWrite(group) && (
          <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
            Add link
          </Button>
        )
      }
    >
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton className="h-5 w-40" />}
      {data && links.length === 0 && (
        <p className="text-sm text-ink-faint">
          Nothing yet. Links are found by IDs, branches, folders and times, or added by you.
        </p>
      )}
      <ul className="space-y-3 text-sm">
        {shown.map((link) => (
          <LinkedItem
            key={link.id}
            link={link}
            thing={thing}
            {...(mayWrite(group) && link.how !== 'exact' && { onRemove: () => setRemoved(link) })}
          />
        ))}
      </ul>
      {links.length > shown.length && (
        <Button size="small" look="quiet" className="mt-3" onClick={() => setWhole(true)}>
          {`Show all ${links.length}`}
        </Button>
      )}
      {isAdding && <AddLinkDialog groupId={group.id} thing={thing} onClose={() => setAdding(false)} />}
      {removed && <RemoveDialog groupId={group.id} link={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  )
}

interface LinkedItemProps {
  link: Link
  thing: ThingRef
  onRemove?: () => void
}

function LinkedItem({ link, thing, onRemove }: LinkedItemProps) {
  const isFrom = link.from.type === thing.type && link.from.id === thing.id
  const other = isFrom ? link.to : link.from
  const Icon = typeIcons[other.type]
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p>
          <ThingLink thing={other} className="font-medium" />
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-faint">
          <Badge tone={howTones[link.how]}>{howText(link)}</Badge>
          <span>{typeNames[other.type]}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">{link.evidence}</span>
        </p>
      </div>
      {onRemove && (
        <Menu trigger={<IconButton label={`Actions for ${other.title}`} icon={EllipsisVertical} />}>
          <MenuItem icon={link.how === 'person' ? Trash2 : EyeOff} danger onSelect={onRemove}>
            {link.how === 'person' ? 'Remove link' : 'This is wrong'}
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}

function RemoveDialog({ groupId, link, onClose }: { groupId: string; link: Link; onClose: () => void }) {
  return (
    <DeleteDialog
      queryKey={linksKey(groupId)}
      verb="Remove"
      noun="link"
      remove={() =>
        link.how === 'person'
          ? call('DELETE', '/api/v1/links/{id}', { path: { id: link.id } })
          : call('POST', '/api/v1/links/{id}/dismiss', { path: { id: link.id } })
      }
      onClose={onClose}
    >
      <p>
        {link.how === 'person'
          ? 'Both things stay.'
          : 'It is not shown or counted any more, and not found again. Both things stay.'}
      </p>
    </DeleteDialog>
  )
}
