import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DatabaseZap, X } from 'lucide-react'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { buttonClass, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { readConsoleAddress } from '../sql-address.ts'
import { agentsQuery, databasesQuery, explanationQuery, schemaQuery } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { AnswerView } from './answer-view.tsx'
import { DecisionBar } from './decision-bar.tsx'
import type { EditorHandle } from './editor/code-editor.tsx'
import { StatementEditor } from './editor/statement-editor.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { PlaceFields } from './place-fields.tsx'
import { SchemaTree } from './schema/schema-tree.tsx'
import { StatementActions } from './statement-actions.tsx'
import { useStatement } from './use-statement.ts'

const route = getRouteApi('/shell/sql')

export const SqlPage = inGroup(SqlConsole)

/** What was typed, while other pages are open. */
const drafts = new Map<string, string>()

const reads = new Set(['SELECT', 'SHOW', 'EXPLAIN'])

function SqlConsole({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const [sql, setText] = useState(drafts.get(group.id) ?? '')
  const [reason, setReason] = useState('')
  const [panel, setPanel] = useState<'schema' | 'history'>()
  const editor = useRef<EditorHandle>(null)
  const { data: databases, error } = useQuery(databasesQuery(group.id))
  const { data: agents } = useQuery(agentsQuery(group.id))
  const database = address.database ?? databases?.[0]?.name ?? ''
  const agentId = address.agent ?? 'data-engineer'
  const chosen = databases?.find(({ name }) => name === database)
  const schema = useQuery(schemaQuery(group.id, database, agentId))
  const asked = useDebounced(sql, 250)
  const explanation = useQuery(explanationQuery(group.id, { database, sql: asked, agent_id: agentId }))
  const { run, reloadSchema, fault } = useStatement({ groupId: group.id, database, agentId, reason })
  const isEmpty = sql.trim() === ''
  const judged = isEmpty ? undefined : explanation.data

  const setSql = (text: string) => {
    drafts.set(group.id, text)
    setText(text)
  }
  const choose = (part: Record<string, string>) =>
    void navigate({ search: readConsoleAddress({ ...address, ...part }), replace: true })
  const insert = (name: string) => {
    setPanel(undefined)
    if (editor.current) editor.current.insert(name)
    else setSql(`${sql}${name}`)
  }
  const send = (way: 'run' | 'try' | 'plan' | 'measure', text = sql) => {
    const isRead = judged?.operations.every((operation) => reads.has(operation)) ?? false
    if (!isEmpty && !run.isPending) run.mutate({ way, sql: text, isRead })
  }
  const tree = (
    <SchemaTree
      key={database}
      database={database}
      schema={schema.data}
      error={schema.error}
      isLoading={schema.isPending}
      onReload={() => void (schema.error ? schema.refetch() : reloadSchema().catch(() => schema.refetch()))}
      onInsert={insert}
    />
  )

  if (databases?.length === 0)
    return (
      <Page title="SQL">
        <SqlTabs groupId={group.id} />
        <NoDatabases />
      </Page>
    )
  return (
    <Page
      title="SQL"
      description="Every statement is judged by the agent’s policy, and every attempt is in the audit log."
      wide
    >
      <SqlTabs groupId={group.id} />
      {error && <FailureNotice error={error} />}
      <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="sticky top-5 hidden max-h-[calc(100dvh-2.5rem)] flex-col overflow-hidden rounded-xl border border-line bg-surface p-3 shadow-low lg:flex">
          {tree}
        </div>
        <div className="min-w-0 space-y-5">
          <Card>
            <PlaceFields
              databases={databases ?? []}
              agents={agents ?? []}
              database={database}
              agentId={agentId}
              reason={reason}
              onChoose={choose}
              onReason={setReason}
            />
            {chosen?.problem && (
              <div className="mb-3">
                <Notice tone="warning" title={`${chosen.name} is not available`}>
                  {chosen.problem}{' '}
                  <Link to="/sql/databases" className="text-accent hover:underline">
                    Open databases
                  </Link>
                </Notice>
              </div>
            )}
            {/* Above the editor: below it, suggestions would cover the buttons. */}
            <StatementActions
              disabled={isEmpty}
              busy={run.isPending ? run.variables.way : undefined}
              needsApproval={judged?.decision === 'approve'}
              onSend={send}
              onShow={setPanel}
            />
            <StatementEditor
              ref={editor}
              value={sql}
              relations={schema.data?.relations ?? []}
              onChange={setSql}
              onRun={() => send('run')}
              mark={fault?.sql === sql ? fault : policyMark(judged, asked === sql)}
            />
            <div className="mt-3">
              <DecisionBar explanation={judged} error={isEmpty ? null : explanation.error} />
            </div>
          </Card>
          {run.error && (
            <div>
              <FailureNotice error={run.error} />
              {fault && <p className="mt-1.5 px-4 text-xs text-ink-faint">{`At ${fault.place}.`}</p>}
            </div>
          )}
          {run.isPending && <ListSkeleton rows={3} />}
          {run.isSuccess && (
            <AnswerView
              key={run.submittedAt}
              answer={run.data}
              asked={run.variables}
              groupId={group.id}
              database={database}
              agentId={agentId}
              onMeasure={() => send('measure', run.variables.sql)}
            />
          )}
        </div>
      </div>
      {panel === 'schema' && (
        <SidePanel open onClose={() => setPanel(undefined)} title={`Schema of ${database}`}>
          <header className="flex items-center justify-between border-b border-line px-5 py-3">
            <h2 className="text-base font-semibold">{`Schema of ${database}`}</h2>
            <IconButton label="Close" icon={X} onClick={() => setPanel(undefined)} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col p-5">{tree}</div>
        </SidePanel>
      )}
      {panel === 'history' && (
        <HistoryPanel
          groupId={group.id}
          onClose={() => setPanel(undefined)}
          onChoose={(record) => {
            setSql(record.sql)
            if (databases?.some(({ name }) => name === record.database)) choose({ database: record.database })
            setPanel(undefined)
          }}
        />
      )}
    </Page>
  )
}

function policyMark(
  judged: { decision: string; position: number | null; message: string } | undefined,
  isCurrent: boolean,
) {
  if (!judged || !isCurrent || judged.decision === 'execute' || judged.position === null) return null
  return { at: judged.position, tone: 'accent' as const, message: judged.message }
}

function NoDatabases() {
  return (
    <EmptyState
      icon={DatabaseZap}
      title="This group has no databases"
      action={
        <Link to="/sql/databases" className={buttonClass('primary')}>
          Open databases
        </Link>
      }
    >
      Add a PostgreSQL database of your own. The databases of the server belong to the first group.
    </EmptyState>
  )
}
