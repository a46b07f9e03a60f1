import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { migrationOfQuery } from './migration-queries.ts'

/** From an approval to the migration that it is for. */
export function MigrationLink({ groupId, approvalId }: { groupId: string; approvalId: string }) {
  const { data: migration } = useQuery(migrationOfQuery(groupId, approvalId))
  if (!migration) return null
  return (
    <div>
      <dt className="text-xs text-ink-faint">Migration</dt>
      <dd className="mt-0.5 [overflow-wrap:anywhere]">
        <Link className="text-accent hover:underline" to="/sql/migrations/$id" params={{ id: migration.id }}>
          {migration.name}
        </Link>
        {migration.state === 'applied' && approvalId !== migration.approval_id && ' (its rollback)'}
      </dd>
    </div>
  )
}
