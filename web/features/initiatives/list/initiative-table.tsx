import { Link } from '@tanstack/react-router'
import type { InitiativeSummary } from '#initiatives/contract'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { ConfidenceBars } from '../confidence-bars.tsx'
import { statusNames, statusTones } from '../initiative-words.ts'

const columns = ['Initiative', 'Status', 'Owner', 'Confidence', 'Questions', 'Open tickets', 'Last stand-up']

export function InitiativeTable({ initiatives }: { initiatives: readonly InitiativeSummary[] }) {
  return (
    <Table
      label="Initiatives"
      columns={columns}
      rows={initiatives}
      sortBy={{
        Initiative: ({ title }) => title,
        Status: ({ status }) => statusNames[status],
        Owner: ({ owner }) => owner,
        Questions: ({ open_questions }) => open_questions,
        'Open tickets': ({ open_tickets }) => open_tickets,
        'Last stand-up': ({ last_standup_at }) => timeValue(last_standup_at),
      }}
    >
      {(initiative) => (
        <Row key={initiative.id}>
          <Cell part="lead">
            <Link
              to="/initiatives/$id"
              params={{ id: initiative.slug }}
              className="font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {initiative.title}
            </Link>
          </Cell>
          <Cell label="Status">
            <Badge tone={statusTones[initiative.status]}>{statusNames[initiative.status]}</Badge>
          </Cell>
          <Cell label="Owner" className="text-sm">
            {initiative.owner ?? '–'}
          </Cell>
          <Cell label="Confidence">
            <ConfidenceBars confidences={initiative.confidences} />
          </Cell>
          <Cell label="Questions" className="text-sm tabular-nums">
            {initiative.open_questions === 0 ? '–' : initiative.open_questions}
          </Cell>
          <Cell label="Open tickets" className="text-sm tabular-nums">
            {initiative.open_tickets === 0 ? '–' : initiative.open_tickets}
          </Cell>
          <Cell label="Stand-up" className="text-sm text-ink-soft">
            {initiative.last_standup_at === null ? '–' : <MomentText time={initiative.last_standup_at} />}
          </Cell>
        </Row>
      )}
    </Table>
  )
}
