import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { MigrationDetail, SqlEvidence } from '#sql/contract'
import { useCurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { EvidenceCard } from '../approvals/evidence-card.tsx'
import { SqlTabs } from '../sql-tabs.tsx'
import { StatementText } from '../statement-text.tsx'
import { CopyCard } from './copy-card.tsx'
import { MigrationFacts } from './migration-facts.tsx'
import { migrationQuery } from './migration-queries.ts'
import { RollbackCard } from './rollback-card.tsx'

const route = getRouteApi('/shell/sql/migrations/$id')

export function MigrationPage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  return group === null ? (
    <NoGroup />
  ) : (
    <MigrationDetails key={`${group.id} ${id}`} groupId={group.id} id={id} />
  )
}

function MigrationDetails({ groupId, id }: { groupId: string; id: string }) {
  const { data: migration, error, isPending, refetch } = useQuery(migrationQuery(groupId, id))
  if (error && !migration)
    return <RecordFailure error={error} noun="migration" to="/sql/migrations" onRetry={refetch} />
  return (
    <>
      <BackLink to="/sql/migrations">Migrations</BackLink>
      <Page title={migration?.name ?? 'Migration'} description={migration?.reason} wide>
        <SqlTabs groupId={groupId} />
        {isPending && <ListSkeleton />}
        {migration && (
          <div className="grid items-start gap-5 lg:grid-cols-[1fr_20rem]">
            <div className="min-w-0 space-y-5">
              {migration.error !== null && (
                <Notice tone="danger" title="It failed, and nothing of it is in the database">
                  {migration.error}
                </Notice>
              )}
              <Statements migration={migration} />
              <Evidence migration={migration} />
              <CopyCard groupId={groupId} migration={migration} />
            </div>
            <div className="space-y-4">
              <MigrationFacts migration={migration} />
              <RollbackCard groupId={groupId} migration={migration} />
            </div>
          </div>
        )}
      </Page>
    </>
  )
}

function Statements({ migration }: { migration: MigrationDetail }) {
  const { statements, is_complete, is_elsewhere, database } = migration
  if (is_elsewhere)
    return (
      <Notice tone="info" title="Applied elsewhere">
        {`The database ${database} has it in its list of migrations (signalbox_migrations), and nobody asked for it here, so its statements are not known.`}
      </Notice>
    )
  return (
    <Card
      title={statements.length === 1 ? 'Statement' : 'Statements'}
      description={
        is_complete ? `In one transaction in ${database}: all or nothing.` : 'Without the secrets in it.'
      }
    >
      <StatementText sql={statements.join(';\n\n')} />
    </Card>
  )
}

const nothing: SqlEvidence = {
  effect: null,
  rows_affected: null,
  locks: [],
  rewritten: [],
  other_sessions: 0,
  plan: null,
  duration_ms: 0,
  skipped: null,
  warnings: [],
  checks: [],
}

/** What it did, with the locks that the trial run saw; before it ran, what the trial run found. */
function Evidence({ migration }: { migration: MigrationDetail }) {
  const { preview, result, duration_ms } = migration
  if (!preview && !result) return null
  const evidence = {
    ...(preview ?? nothing),
    ...(result && { ...result, skipped: null, duration_ms: duration_ms ?? 0 }),
  }
  return (
    <Card
      title={result ? 'What it did' : 'What it would do'}
      description={
        result
          ? preview && 'Rows and tables from the run itself, locks from the trial run before it.'
          : 'From a trial run that was rolled back.'
      }
    >
      <EvidenceCard evidence={evidence} />
    </Card>
  )
}
