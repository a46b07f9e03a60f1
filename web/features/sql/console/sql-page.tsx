import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FlaskConical, Play } from 'lucide-react'
import type { DryRun, Executed, PendingApproval } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { Input, Select } from '../../../ui/input.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { EvidenceCard } from '../approvals/evidence-card.tsx'
import { readConsoleAddress } from '../sql-address.ts'
import { agentsQuery, databasesQuery, explanationQuery, sqlKey } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { PlanTree } from './plan-tree.tsx'
import { ResultGrid } from './result-grid.tsx'
import { StatementEditor } from './statement-editor.tsx'

const route = getRouteApi('/shell/sql')

export const SqlPage = inGroup(SqlConsole)

type Answer = Executed | DryRun | PendingApproval

function SqlConsole({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const [sql, setSql] = useState('')
  const [reason, setReason] = useState('')
  const { data: databases } = useQuery(databasesQuery(group.id))
  const { data: agents } = useQuery(agentsQuery(group.id))
  const database = address.database ?? databases?.[0]?.name ?? ''
  const agent = address.agent ?? 'data-engineer'
  const asked = useDebounced(sql, 250)
  const explanation = useQuery(explanationQuery(group.id, { database, sql: asked, agent_id: agent }))
  const run = useMutation({
    mutationFn: (isTrial: boolean) =>
      call('POST', '/api/v1/sql/execute', {
        body: {
          database,
          sql,
          agent_id: agent,
          reason: reason.trim() || 'From the SQL console',
          dry_run: isTrial,
        },
      }),
    onSettled: () => refreshQueries(queryClient, { queryKey: sqlKey(group.id) }),
  })
  const choose = (part: Record<string, string>) =>
    void navigate({ search: readConsoleAddress({ ...address, ...part }), replace: true })
  const chosen = databases?.find(({ name }) => name === database)
  const isEmpty = sql.trim() === ''

  if (databases?.length === 0)
    return (
      <Page title="SQL">
        <Notice tone="info" title="This group has no databases">
          The databases of the SQL proxy belong to the first group.
        </Notice>
      </Page>
    )
  return (
    <Page
      title="SQL"
      description="Every statement is judged by the agent’s policy, and every attempt is in the audit log."
      wide
    >
      <SqlTabs groupId={group.id} />
      <div className="space-y-5">
        <Card>
          <div className="mb-3 grid gap-2 sm:grid-cols-[12rem_14rem_1fr]">
            <Select
              aria-label="Database"
              value={database}
              onChange={(event) => choose({ database: event.target.value })}
            >
              {(databases ?? []).map(({ name, is_available }) => (
                <option key={name} value={name}>
                  {is_available ? name : `${name} (not available)`}
                </option>
              ))}
            </Select>
            <Select
              aria-label="Policy of the agent"
              value={agent}
              onChange={(event) => choose({ agent: event.target.value })}
            >
              {(agents ?? [])
                .filter(({ config }) => config.policy !== null)
                .map(({ id, name }) => (
                  <option key={id} value={id}>{`Policy of ${name}`}</option>
                ))}
            </Select>
            <Input
              aria-label="Reason"
              placeholder="Reason, for the audit log"
              maxLength={1_000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
          {chosen?.problem && (
            <div className="mb-3">
              <Notice tone="warning" title={`${chosen.name} is not available`}>
                {chosen.problem}
              </Notice>
            </div>
          )}
          <StatementEditor
            value={sql}
            onChange={setSql}
            onRun={() => !isEmpty && run.mutate(false)}
            mark={
              explanation.data?.decision === 'execute' || isEmpty
                ? null
                : (explanation.data?.position ?? null)
            }
          />
          <div className="mt-3 flex flex-wrap items-start justify-between gap-3">
            <div className="min-w-0 flex-1 basis-80">
              <DecisionBar
                explanation={isEmpty ? undefined : explanation.data}
                error={isEmpty ? null : explanation.error}
              />
            </div>
            <div className="flex gap-2">
              <Button
                icon={FlaskConical}
                disabled={isEmpty}
                busy={run.isPending && run.variables}
                onClick={() => run.mutate(true)}
              >
                Dry run
              </Button>
              <Button
                look="primary"
                icon={Play}
                disabled={isEmpty}
                busy={run.isPending && !run.variables}
                onClick={() => run.mutate(false)}
              >
                {explanation.data?.decision === 'approve' ? 'Ask for approval' : 'Run'}
              </Button>
            </div>
          </div>
        </Card>
        {run.error && <FailureNotice error={run.error} />}
        {run.data && <AnswerView answer={run.data} />}
      </div>
    </Page>
  )
}

function AnswerView({ answer }: { answer: Answer }) {
  if (answer.status === 'executed') return <ResultGrid result={answer} />
  if (answer.status === 'dry_run')
    return (
      <Card title="Dry run" description="Tried in a transaction that was rolled back. Nothing was kept.">
        <EvidenceCard evidence={answer.preview} />
        <h3 className="mt-5 mb-2 text-sm font-semibold">Plan</h3>
        <PlanTree plan={answer.plan} />
      </Card>
    )
  return (
    <Card
      title="Waits for approval"
      description="An admin or owner decides. The approval counts for exactly this text."
      action={
        <Link
          className="text-sm font-medium text-accent hover:underline"
          to="/sql/approvals/$id"
          params={{ id: answer.approval_id }}
        >
          Open the approval
        </Link>
      }
    >
      <EvidenceCard evidence={answer.preview} />
    </Card>
  )
}
