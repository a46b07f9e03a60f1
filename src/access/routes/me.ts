import { scopesIn, type Principal } from '#kernel/auth'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { commit } from '#kernel/version'
import type { ApiKeyRow } from '../api-key-store.ts'
import { me, welcome } from '../contract.ts'
import type { FirstStart } from '../first-start.ts'
import type { RouteDeps } from './deps.ts'

export function meRoutes(app: Http, deps: RouteDeps): void {
  app.get(
    '/api/v1/me',
    {
      config: { needs: 'someone', inGroup: true, forRuns: true },
      schema: {
        tags: ['People'],
        operationId: 'getMe',
        summary: 'Get the caller',
        description: 'Who is calling, in which groups and with which scopes.',
        response: { 200: me },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      // A user without a group can sign in: the response says so instead of refusing.
      const group = principal.groups.length === 0 ? undefined : groupOf(request)
      // A key has no pages, and must be found good while the database is unavailable.
      const zones = principal.key ? new Map<string, string>() : await deps.groups.timeZones(principal)
      return {
        via: principal.via,
        user: principal.user,
        groups: principal.groups.map((each) => ({ ...each, time_zone: zones.get(each.id) ?? null })),
        group_id: group?.id ?? null,
        scopes: group ? [...scopesIn(principal, group)] : [],
        can_create_groups: await deps.groups.mayCreate(principal),
        version: deps.version,
        commit,
      }
    },
  )

  app.get(
    '/api/v1/welcome',
    {
      config: { needs: 'person', inGroup: true },
      schema: {
        tags: ['People'],
        operationId: 'getWelcome',
        summary: 'Get the first steps',
        description:
          'What the first-run page shows: the address for clients, and the first key until it is used.',
        response: { 200: welcome },
      },
    },
    async (request, reply) => {
      const group = groupOf(request)
      const keys = await deps.apiKeys.list(group.id)
      void reply.header('cache-control', 'no-store')
      return {
        base_url: deps.config.PUBLIC_URL ?? `http://${request.headers.host ?? 'localhost'}`,
        first_key: firstKeyFor(principalOf(request), keys, deps.firstStarted()),
        key_used: keys.some((key) => key.last_used_at !== null),
      }
    },
  )
}

/** The first key is for the person at the terminal: shown in its own group, until it is used or revoked. */
function firstKeyFor(
  principal: Principal,
  keys: readonly ApiKeyRow[],
  started: FirstStart | undefined,
): string | null {
  if (principal.via !== 'local' || !started?.firstKey) return null
  const row = keys.find((key) => key.id === started.firstKeyId)
  const isUnused = row !== undefined && row.last_used_at === null && row.revoked_at === null
  return isUnused ? started.firstKey.reveal() : null
}
