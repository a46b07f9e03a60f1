import type pg from 'pg'
import { z } from 'zod'
import type { Http } from '#kernel/http'
import { gatewayCalls } from '../contract.ts'
import { groupId } from '#kernel/paging'
import { sessionId, sessionOf } from '../read/session-of.ts'
import type { GatewayCall, SessionCosts } from '../read/session-costs.ts'
import { responsesOf } from '../store/response-store.ts'
import { callsWithoutMessage } from './match.ts'

const maxCalls = 500

/** The requests of a session in the usage log. */
export function callRoutes(app: Http, { pool, usage }: { pool: pg.Pool; usage: SessionCosts | null }): void {
  app.get(
    '/api/transcripts/:id/calls',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Transcripts'],
        operationId: 'listTranscriptCalls',
        summary: 'List the requests of a session that no message shows',
        description:
          'Requests that went through the gateway for the session or its subagents, such as titles, compactions and ' +
          'refused ones; the newest 500.',
        params: sessionId,
        querystring: z.object(groupId),
        response: { 200: gatewayCalls },
      },
    },
    async (request) => {
      const { groupId: group, session } = await sessionOf(pool, request, request.params.id)
      const calls = (await usage?.calls(group, session.external_id)) ?? []
      const found = callsWithoutMessage(calls, await responsesOf(pool, session.no))
      return { data: found.slice(0, maxCalls).map(toJson), total: found.length }
    },
  )
}

function toJson(call: GatewayCall) {
  return {
    request_id: call.requestId,
    model: call.model,
    endpoint: call.endpoint,
    started_at: call.startedAt.toISOString(),
    status_code: call.statusCode,
    error_message: call.errorMessage,
    input_tokens: call.promptTokens,
    output_tokens: call.completionTokens,
    cost: call.cost,
    subagent: call.subagentKey,
  }
}
