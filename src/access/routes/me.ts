import { scopesIn } from '#kernel/auth'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { me, welcome } from '../contract.ts'
import type { RouteDeps } from './deps.ts'

export function meRoutes(app: Http, deps: RouteDeps): void {
  app.get(
    '/api/v1/me',
    {
      config: { needs: 'someone', inGroup: true },
      schema: {
        tags: ['People'],
        operationId: 'getMe',
        summary: 'Get the caller',
        description: 'Who is calling, in which groups and with which scopes.',
        response: { 200: me },
      },
    },
    (request) => {
      const principal = principalOf(request)
      // A user without a group can sign in: the response says so instead of refusing.
      const group = principal.groups.length === 0 ? undefined : groupOf(request)
      return {
        via: principal.via,
        user: principal.user,
        groups: [...principal.groups],
        group_id: group?.id ?? null,
        scopes: group ? [...scopesIn(principal, group)] : [],
        version: deps.version,
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
        first_key: group.role === 'owner' && keys.length === 1 ? (deps.firstKey()?.reveal() ?? null) : null,
        key_used: keys.some((key) => key.last_used_at !== null),
      }
    },
  )
}
