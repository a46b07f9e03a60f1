import type { Http } from '#kernel/http'
import { initiativeCost, type InitiativeCost } from '../contract.ts'
import type { Initiatives } from '../initiatives.ts'
import type { InitiativeRow } from '../store/initiative-store.ts'
import { groupFor, inGroupQuery, params, read, tags } from './shared.ts'

export interface CostRouteDeps {
  initiatives: Initiatives
  costOf(initiative: InitiativeRow): Promise<InitiativeCost>
}

export function costRoutes(app: Http, { initiatives, costOf }: CostRouteDeps): void {
  app.get(
    '/api/initiatives/:id/cost',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getInitiativeCost',
        summary: 'Get the cost of an initiative',
        description:
          'What the linked transcripts and the stand-ups cost, exactly, from the usage log; with what is not counted.',
        params,
        querystring: inGroupQuery,
        response: { 200: initiativeCost },
      },
    },
    async (request) => costOf(await initiatives.find(groupFor(request), request.params.id)),
  )
}
