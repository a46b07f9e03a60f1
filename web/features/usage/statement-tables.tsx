import { Link } from '@tanstack/react-router'
import type { Reason, Statement } from '#links/contract'
import { Dollars } from '../../ui/dollars.tsx'
import { countText } from '../../ui/quantity.ts'
import { Table, type Column } from '../../ui/table.tsx'
import { reasonNames, reasons } from './statement-words.ts'

type Person = Statement['people'][number]

const money = <Row,>(name: string, of: (row: Row) => string): Column<Row> => ({
  name,
  value: (row) => Number(of(row)),
  cell: (row) => <Dollars amount={of(row)} />,
})

const nameOf = ({ id, name }: Person): string => name ?? (id === null ? 'Unknown' : 'Former member')

const peopleColumns: readonly Column<Person>[] = [
  {
    name: 'Person',
    value: nameOf,
    cell: (person) =>
      person.id === null || person.name === null ? (
        nameOf(person)
      ) : (
        <Link to="/people/$id" params={{ id: person.id }} className="hover:underline">
          {person.name}
        </Link>
      ),
  },
  money('Gateway', ({ gateway }) => gateway),
  money('In both', ({ in_both: both }) => both),
  money('Gateway only', ({ gateway_only: only }) => only),
  { ...money('Outside the gateway', (row: Person) => row.transcripts_only_estimated), short: 'Outside' },
]

/** Whose keys the requests carried, and whose machines the other sessions ran on. */
export function PeopleTable({ people }: { people: Statement['people'] }) {
  return (
    <section aria-labelledby="statement-people" className="space-y-3">
      <h2 id="statement-people" className="pt-2 text-base font-semibold">
        By person
      </h2>
      <Table
        label="Statement by person"
        columns={peopleColumns}
        rows={people}
        rowKey={({ id }) => id ?? ''}
      />
      <p className="text-xs text-ink-faint">
        A request belongs to the owner of its key. Spend outside the gateway belongs to the owner of the key
        that the rest of the session used, or of the key of the machine’s watcher.
      </p>
    </section>
  )
}

interface ReasonRow {
  reason: Reason
  requests: number
  cost: string
}

const reasonColumns: readonly Column<ReasonRow>[] = [
  {
    name: 'Reason',
    value: ({ reason }) => reasonNames[reason].name,
    cell: ({ reason }) => (
      <div>
        <span className="block font-medium">{reasonNames[reason].name}</span>
        <span className="block text-xs font-normal text-ink-faint">{reasonNames[reason].text}</span>
      </div>
    ),
  },
  money('Cost', ({ cost }) => cost),
  { name: 'Requests', value: ({ requests }) => requests, cell: ({ requests }) => countText(requests) },
]

export function ReasonTable({ reasons: of }: { reasons: Statement['gateway_only_reasons'] }) {
  const rows = reasons.map((reason) => ({ reason, ...of[reason] })).filter(({ requests }) => requests > 0)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="statement-reasons" className="space-y-3">
      <h2 id="statement-reasons" className="pt-2 text-base font-semibold">
        Why only the gateway has it
      </h2>
      <Table
        label="Why only the gateway has it"
        columns={reasonColumns}
        rows={rows}
        rowKey={({ reason }) => reason}
      />
    </section>
  )
}
