import { queryOptions } from '@tanstack/react-query'
import { call, type Given } from '../../../api/client.ts'
import { pagesQuery } from '../../../api/pages.ts'
import { sqlKey } from '../sql-queries.ts'

type MigrationFilter = NonNullable<Given<'GET', '/api/v1/sql/migrations'>['query']>

export const migrationsQuery = (groupId: string, query: MigrationFilter) =>
  pagesQuery(sqlKey(groupId), '/api/v1/sql/migrations', { query })

export const migrationQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'migration', id],
    queryFn: () => call('GET', '/api/v1/sql/migrations/{id}', { path: { id } }),
    refetchInterval: 5_000,
  })

/** The migration that an approval is for. */
export const migrationOfQuery = (groupId: string, approvalId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'migration-of', approvalId],
    queryFn: async () => {
      const { data } = await call('GET', '/api/v1/sql/migrations', { query: { approval_id: approvalId } })
      return data[0] ?? null
    },
  })
