import { useMutation, useQueryClient, type Query } from '@tanstack/react-query'
import type { DryRun, Executed, PendingApproval } from '#sql/contract'
import { ApiError, call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import { readSchema, schemaQuery, sqlKey } from '../sql-queries.ts'
import type { EditorMark } from './editor/marks.ts'
import { offsetOf, placeText } from './editor/offset-of.ts'

export type Answer = Executed | DryRun | PendingApproval

/** run: as it is. try: rolled back. plan: only planned. measure: run, with what each step of the plan took. */
type Way = 'run' | 'try' | 'plan' | 'measure'

export interface Asked {
  way: Way
  sql: string
  /** It only reads: then a dry run plans it and runs nothing, under every policy that allows the read. */
  isRead: boolean
}

interface Where {
  groupId: string
  database: string
  agentId: string
  reason: string
}

const planning = 'EXPLAIN (FORMAT JSON) '
export const measuring = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) '

/** Sends the statement of the console, and says where it failed. */
export function useStatement({ groupId, database, agentId, reason }: Where) {
  const queryClient = useQueryClient()
  const reloadSchema = async () => {
    const { queryKey } = schemaQuery(groupId, database, agentId)
    queryClient.setQueryData(queryKey, await readSchema(database, agentId, 'true'))
  }
  const run = useMutation({
    mutationFn: (asked: Asked): Promise<Answer> =>
      call('POST', '/api/v1/sql/execute', {
        body: {
          database,
          sql: prefixOf(asked) + asked.sql,
          agent_id: agentId,
          reason: reason.trim() || 'From the SQL console',
          dry_run: asked.way === 'try' || (asked.way === 'plan' && asked.isRead),
        },
      }),
    onSuccess: (answer) => {
      if (answer.status === 'executed' && answer.operations.some(changesStructure))
        void reloadSchema().catch(() => undefined)
    },
    onSettled: () => refreshQueries(queryClient, { queryKey: sqlKey(groupId), predicate: changes }),
  })
  return { run, reloadSchema, fault: faultOf(run.error, run.variables) }
}

/** Databases are tried when they are listed, which a statement is no reason for. */
const changes = ({ queryKey }: Pick<Query, 'queryKey'>): boolean =>
  queryKey[2] !== 'databases' && queryKey[2] !== 'agents'

const changesStructure = (operation: string): boolean => /^(CREATE|ALTER|DROP)\b/.test(operation)

/** One that is an EXPLAIN already is sent as it is. */
function prefixOf({ way, sql, isRead }: Asked): string {
  if (/^\s*explain\b/i.test(sql)) return ''
  if (way === 'measure') return measuring
  return way === 'plan' && !isRead ? planning : ''
}

/** The place in the text that PostgreSQL complains about. */
function faultOf(
  error: unknown,
  asked: Asked | undefined,
): (EditorMark & { sql: string; place: string }) | null {
  if (!asked || !(error instanceof ApiError) || error.position === null) return null
  const at = offsetOf(asked.sql, error.position - prefixOf(asked).length)
  return { at, tone: 'danger', message: error.message, sql: asked.sql, place: placeText(asked.sql, at) }
}
