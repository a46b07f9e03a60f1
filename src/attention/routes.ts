import { z } from 'zod'
import type { Membership, Principal } from '#kernel/auth'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { attentionList, type AttentionList } from './contract.ts'

export function attentionRoutes(
  app: Http,
  list: (principal: Principal, group: Membership) => Promise<AttentionList>,
): void {
  app.get(
    '/api/v1/attention',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Notifications'],
        operationId: 'listAttention',
        summary: 'List what needs attention',
        description:
          'What the caller should deal with now, the most severe first: one entry per kind, with how many things it stands for. An entry is there for as long as the thing is. People see what their role can deal with, keys what their scopes can read. Results are up to ten seconds old.',
        querystring: z.object(groupId),
        response: { 200: attentionList },
      },
    },
    (request) => list(principalOf(request), groupOf(request)),
  )
}
