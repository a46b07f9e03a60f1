import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { authorIn, inGroupQuery } from '../request.ts'
import { publicStatus, statusPage, statusPageBody } from '../shapes/status-page.ts'
import type { createStatusPages } from './index.ts'

const tags = ['Services']

export function statusPageRoutes(app: Http, pages: ReturnType<typeof createStatusPages>): void {
  app.get(
    '/api/status-page',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'getStatusPage',
        summary: 'Get the settings of the status page',
        querystring: inGroupQuery,
        response: { 200: statusPage },
      },
    },
    (request) => pages.settings(groupOf(request).id),
  )

  app.put(
    '/api/status-page',
    {
      config: { needs: 'admin', roles: ['owner'], inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'setStatusPage',
        summary: 'Set the status page',
        description:
          'Only owners. While it is enabled, everyone can read the state of the services that are public.',
        body: statusPageBody,
        response: { 200: statusPage },
      },
    },
    async (request) => {
      const group = groupOf(request)
      return pages.save(authorIn(request, group), group, request.body)
    },
  )

  app.get(
    '/api/status/:slug',
    {
      config: {
        needs: 'anyone',
        open: 'An owner switched the page on for everyone; otherwise it returns 404.',
      },
      schema: {
        tags,
        operationId: 'getPublicStatus',
        summary: 'Get a public status page',
        description: 'Without signing in. The response may be 15 seconds old.',
        params: z.object({
          slug: z
            .string()
            .max(100)
            .meta({ description: 'The last part of the address of the page.', examples: ['example'] }),
        }),
        response: { 200: publicStatus },
      },
    },
    async (request, reply) => {
      const status = await pages.show(request.params.slug)
      return reply.header('cache-control', 'public, max-age=15').send(status)
    },
  )
}
