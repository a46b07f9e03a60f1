import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import type { Limit } from '#limits/contract'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { exactTime } from '../../ui/moment.ts'
import { Table } from '../../ui/table.tsx'
import { LimitBar, useText } from './limit-bar.tsx'
import { byUse, limitText, resetText, shares, stateOf, subjectNames } from './limit-words.ts'
import { SubjectLink } from './subject-link.tsx'

interface LimitsTableProps {
  limits: readonly Limit[]
  manages: boolean
  /** The ID of the limit that a link is about. */
  marked: string | undefined
  nameOf: (subject: Limit['subject']) => string
  onEdit: (limit: Limit) => void
  onDelete: (limit: Limit) => void
}

export function LimitsTable({ limits, manages, marked, nameOf, onEdit, onDelete }: LimitsTableProps) {
  return (
    <Table
      label="Limits"
      rows={limits.toSorted(byUse)}
      rowKey={({ id }) => id}
      marked={marked}
      columns={[
        {
          name: 'Limit',
          value: ({ subject }) => nameOf(subject),
          cell: ({ subject }) => (
            <div className="min-w-0">
              <p className="max-w-72 font-medium [overflow-wrap:anywhere]">
                <SubjectLink subject={subject}>{nameOf(subject)}</SubjectLink>
              </p>
              {subject.type !== 'group' && (
                <p className="text-xs text-ink-faint">{subjectNames[subject.type]}</p>
              )}
            </div>
          ),
        },
        {
          name: 'Used',
          value: (limit) => shares(limit).used,
          cell: (limit) => <Use limit={limit} name={nameOf(limit.subject)} />,
          className: 'md:w-[38%]',
        },
        { name: 'When reached', cell: (limit) => <Action limit={limit} /> },
        {
          name: 'Actions',
          cell: (limit) =>
            manages && (
              <Menu
                trigger={
                  <IconButton
                    label={`Actions for ${nameOf(limit.subject)}, ${limitText(limit)}`}
                    icon={EllipsisVertical}
                  />
                }
              >
                <MenuItem icon={Pencil} onSelect={() => onEdit(limit)}>
                  Edit limit
                </MenuItem>
                <MenuItem icon={Trash2} danger onSelect={() => onDelete(limit)}>
                  Delete limit
                </MenuItem>
              </Menu>
            ),
        },
      ]}
    />
  )
}

function Use({ limit, name }: { limit: Limit; name: string }) {
  const resets = resetText(limit.resets_at, Date.now())
  return (
    <div className="w-full min-w-48 space-y-1.5">
      <LimitBar limit={limit} label={`Use of the limit of ${name}`} />
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-soft">
        <span>{useText(limit)}</span>
        {limit.resets_at !== null && (
          <span className="text-ink-faint" title={exactTime(limit.resets_at)}>
            {resets}
          </span>
        )}
      </p>
    </div>
  )
}

const reached = { block: 'Blocks', warn: 'Warns' }

function Action({ limit }: { limit: Limit }) {
  const isSpent = stateOf(limit) === 'spent'
  if (!isSpent) return <span className="text-sm text-ink-soft">{reached[limit.action]}</span>
  return limit.action === 'block' ? (
    <Badge tone="danger">Blocks now</Badge>
  ) : (
    <Badge tone="accent">Warns now</Badge>
  )
}
