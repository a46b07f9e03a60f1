import { scopesIn } from '#kernel/auth'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { me, welcome } from '../contract.ts'
import type { RouteDeps } from './deps.ts'

export function meRoutes(app: Http, deps: RouteDeps): void {
  app.get(
    '/api/v1/me',
    {
      config: { needs: 'someone' },
      schema: { tags: ['People'], summary: 'Who am I, and what may I do', response: { 200: me } },
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
      config: { needs: 'person' },
      schema: { tags: ['People'], summary: 'What the first-run page shows', response: { 200: welcome } },
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
