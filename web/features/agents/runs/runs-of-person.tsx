import { useQuery } from '@tanstack/react-query'
import { RunTable } from './list/run-table.tsx'
import { runsOfPersonQuery } from './run-queries.ts'

/** The newest runs that a person started; nothing where there are none. */
export function RunsOfPerson({ groupId, id }: { groupId: string; id: string }) {
  const { data = [] } = useQuery(runsOfPersonQuery(groupId, id))
  if (data.length === 0) return null
  return (
    <section aria-label="Recent runs" className="space-y-3">
      <h2 className="text-base font-semibold">Recent runs</h2>
      <RunTable runs={data} withAgent withAsker={false} />
    </section>
  )
}
