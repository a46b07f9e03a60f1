import { Link } from '@tanstack/react-router'
import type { InitiativeSummary } from '#initiatives/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Table } from '../../../ui/table.tsx'
import { ConfidenceBars } from '../confidence-bars.tsx'
import { statusNames, statusTones } from '../initiative-words.ts'

export function InitiativeTable({ initiatives }: { initiatives: readonly InitiativeSummary[] }) {
  return (
    <Table
      label="Initiatives"
      rows={initiatives}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Initiative',
          value: ({ title }) => title,
          cell: ({ slug, title }) => (
            <Link
              to="/initiatives/$id"
              params={{ id: slug }}
              className="font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {title}
            </Link>
          ),
        },
        {
          name: 'Status',
          value: ({ status }) => statusNames[status],
          cell: ({ status }) => <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>,
        },
        { name: 'Owner', value: ({ owner }) => owner, className: 'text-sm' },
        {
          name: 'Confidence',
          cell: ({ confidences }) => (
            <span className="flex items-center gap-2">
              <LowestConfidence confidences={confidences} />
              <ConfidenceBars confidences={confidences} />
            </span>
          ),
        },
        {
          name: 'Questions',
          value: ({ open_questions }) => open_questions,
          cell: ({ open_questions }) => open_questions || '–',
          className: 'text-sm tabular-nums',
        },
        {
          name: 'Open tickets',
          value: ({ open_tickets }) => open_tickets,
          cell: ({ open_tickets }) => open_tickets || '–',
          className: 'text-sm tabular-nums',
        },
        { name: 'Last stand-up', time: ({ last_standup_at }) => last_standup_at, short: 'Stand-up' },
      ]}
    />
  )
}

/** The bars have no scale, and the least sure criterion is the one to talk about. */
function LowestConfidence({ confidences }: { confidences: readonly (number | null)[] }) {
  const known = confidences.filter((value) => value !== null)
  if (known.length === 0) return null
  return (
    <span className="text-xs whitespace-nowrap text-ink-faint tabular-nums">
      {`${known.length > 1 ? 'lowest ' : ''}${Math.min(...known)}%`}
    </span>
  )
}
