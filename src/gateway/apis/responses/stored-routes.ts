import type { Http } from '#kernel/http'
import { createRefusalLog } from '../../request/log-request.ts'
import { storedReference } from '../../reference/stored-responses.ts'
import { createStoredCall, type StoredCallDeps } from './stored-calls.ts'
import { responses } from './index.ts'

/** Fetching, deleting and cancelling responses that the provider stores. */
export function storedResponseRoutes(app: Http, deps: StoredCallDeps): void {
  const call = createStoredCall(deps)
  const refused = createRefusalLog(deps.meter)
  // A scope of its own: it is read after that of the routes that create responses, as the API document shows them.
  void app.register(async (scope) => {
    for (const { method, suffix, docs, ...described } of storedReference)
      scope.route({
        method,
        url: `${responses.path}/:response_id${suffix}`,
        config: { needs: 'gateway', keyOnly: true, keySeesOwn: true, docs },
        schema: { tags: ['Gateway'], ...described },
        onError: refused(`${responses.path}/{response_id}${suffix}`),
        handler: call({ method, suffix }),
      })
  })
}
