import { z } from 'zod'
import type { Http, RouteDocs } from '#kernel/http'
import { groupId } from '#kernel/paging'
import {
  approveBody,
  draft,
  draftExample,
  proposal,
  proposalEdit,
  rejectBody,
  type Draft,
} from '../contract.ts'
import type { RouteDeps } from './deps.ts'
import {
  artifactParams,
  callerOf,
  decide,
  inGroupQuery,
  personOf,
  proposalParams,
  read,
  tags,
} from './shared.ts'

const noBody = { ...decide, docs: { ...decide.docs, noBody: true } } as const

/** What people decide: about proposals while they talk, about drafts afterwards. */
export function decideRoutes(app: Http, deps: RouteDeps): void {
  proposalRoutes(app, deps)
  artifactRoutes(app, deps)
}

function proposalRoutes(app: Http, { settling, initiatives }: RouteDeps): void {
  const ofProposal = { tags, params: proposalParams, querystring: inGroupQuery, response: { 200: proposal } }

  app.post(
    '/api/initiatives/:id/standup/proposals/:proposal_id/accept',
    {
      config: noBody,
      schema: {
        ...ofProposal,
        operationId: 'acceptStandupProposal',
        summary: 'Accept a proposal',
        description: 'It is drafted when the stand-up ends. Nothing of the initiative changes.',
      },
    },
    async (request) => {
      const { initiativeId, author } = await personOf(request, request.params.id, initiatives.find)
      return settling.accept(initiativeId, request.params.proposal_id, author)
    },
  )
  app.post(
    '/api/initiatives/:id/standup/proposals/:proposal_id/edit',
    {
      config: decide,
      schema: {
        ...ofProposal,
        operationId: 'editStandupProposal',
        summary: 'Change a proposal and accept it',
        body: proposalEdit,
      },
    },
    async (request) => {
      const { initiativeId, author } = await personOf(request, request.params.id, initiatives.find)
      return settling.edit(initiativeId, request.params.proposal_id, author, request.body)
    },
  )
  app.post(
    '/api/initiatives/:id/standup/proposals/:proposal_id/reject',
    {
      config: decide,
      schema: {
        ...ofProposal,
        operationId: 'rejectStandupProposal',
        summary: 'Reject a proposal',
        body: rejectBody.nullish(),
      },
    },
    async (request) => {
      const { initiativeId, author } = await personOf(request, request.params.id, initiatives.find)
      const { proposal_id } = request.params
      return settling.rejectProposal(initiativeId, proposal_id, author, request.body?.reason)
    },
  )
}

const exported: RouteDocs = {
  response: {
    200: {
      description: 'The draft.',
      content: {
        'application/json': { schema: draft, example: draftExample },
        'text/markdown': { schema: z.string(), example: '# Keep guest checkout\n' },
      },
    },
  },
}

function artifactRoutes(app: Http, { settling, initiatives }: RouteDeps): void {
  const ofArtifact = { tags, params: artifactParams, querystring: inGroupQuery, response: { 200: draft } }

  app.get(
    '/api/initiatives/:id/standup/artifacts/:artifact_id',
    {
      config: { ...read, docs: exported },
      schema: {
        tags,
        operationId: 'getStandupArtifact',
        summary: 'Get a draft, as JSON or as a Markdown file',
        params: artifactParams,
        querystring: z.object({
          format: z
            .enum(['json', 'md'])
            .default('json')
            .meta({ description: '`md` returns a Markdown file.' }),
          ...groupId,
        }),
      },
    },
    async (request, reply) => {
      const { initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const found = await settling.draft(initiativeId, request.params.artifact_id)
      if (request.query.format === 'json') return reply.send(found)
      return reply
        .type('text/markdown; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName(found)}"`)
        .send(`# ${found.title}\n\n${found.content.trim()}\n`)
    },
  )
  app.post(
    '/api/initiatives/:id/standup/artifacts/:artifact_id/approve',
    {
      config: decide,
      schema: {
        ...ofArtifact,
        operationId: 'approveStandupArtifact',
        summary: 'Approve a draft',
        description:
          'Saves the document to the initiative and, with it, the decision or the confidence that it states.',
        body: approveBody.nullish(),
      },
    },
    async (request) => {
      const { initiativeId, author } = await personOf(request, request.params.id, initiatives.find)
      return settling.approve(initiativeId, request.params.artifact_id, author, request.body ?? {})
    },
  )
  app.post(
    '/api/initiatives/:id/standup/artifacts/:artifact_id/reject',
    {
      config: decide,
      schema: {
        ...ofArtifact,
        operationId: 'rejectStandupArtifact',
        summary: 'Reject a draft',
        body: rejectBody.nullish(),
      },
    },
    async (request) => {
      const { initiativeId, author } = await personOf(request, request.params.id, initiatives.find)
      return settling.reject(initiativeId, request.params.artifact_id, author, request.body?.reason)
    },
  )
}

/** Only letters that every file system takes. */
function fileName({ title, created_at }: Draft): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${created_at.slice(0, 10)}-${words === '' ? 'artifact' : words}.md`
}
