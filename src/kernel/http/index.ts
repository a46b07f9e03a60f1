import Fastify from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { limitAnonymous } from './anonymous.ts'
import { receiveBodies } from './body/receive.ts'
import { countByCaller, refuseEarly, securityHeaders } from './every-request.ts'
import { errorHandler } from './error-handler.ts'
import { guard } from './guard.ts'
import { limitStreams } from './event-stream.ts'
import { parseBodies } from './parse-body.ts'
import { compileValidator, refuseUnknownParameters } from './unknown-names.ts'
import { describeApi } from './openapi/index.ts'
import { newRequestId } from '#kernel/uuid'
import { compressLists } from './compress.ts'
import { watchConnections } from './connections.ts'
import { serveDashboard } from './dashboard.ts'
import { traceRequests } from './trace-requests.ts'
import { trackRequests } from './track-requests.ts'
import { usePlainMessages } from './validation-messages.ts'
import type { Http, HttpDeps } from './types.ts'
import { Upgrades } from './websocket/upgrades.ts'

export { callOwnRoute, readOwnJson, readOwnRoute, type OwnResponse } from './call-own-route.ts'
export { bodyTooLarge } from './body/budget.ts'
export { closeHttp } from './close.ts'
export { prefersPage } from './accept.ts'
export { faultOf } from './error-handler.ts'
export { groupOf, keySentBy, principalOf } from './guard.ts'
export type { ApiDocument, MediaDocs, RouteDocs } from './openapi/index.ts'
export { templateOf } from './openapi/index.ts'
export type { Caller, Resolvers } from './guard.ts'
export { healthRoutes, type DatabaseState, type Readiness } from './health.ts'
export type { Http } from './types.ts'
export { allocate } from './body/allocate.ts'
export { readJson } from './body/read-json.ts'
export { unzipBody } from './body/unzip.ts'
export { keepBytes, keepJson, prepareJson } from './parse-body.ts'
export { createRateLimit } from './rate-limit.ts'
export {
  admitStream,
  EventStream,
  eventFrame,
  lastEventId,
  lastEventNumber,
  type EventStreamOptions,
} from './event-stream.ts'
export { Places } from './places.ts'
export { isStillAllowed } from './still-allowed.ts'
export { createSlowLog, timesOf, type RequestTimes, type SlowLog } from './track-requests.ts'
export { listOf } from './schemas.ts'
export { refuseUnknownFields } from './unknown-names.ts'
export { whenClosed } from './when-closed.ts'
export { checkAddress, listen } from './listen.ts'

export async function createHttp(deps: HttpDeps): Promise<Http> {
  const { config } = deps
  const webSockets = new Upgrades()
  const app = Fastify({
    bodyLimit: config.MAX_BODY_BYTES,
    // Behind a load balancer the server must not be the first to close an idle connection.
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // It would count for what happens at a stop as well, which waits as long as the database does.
    pluginTimeout: 0,
    // A request that still arrives is served and logged like any other.
    return503OnClosing: false,
    http: {
      headersTimeout: config.RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: config.RECEIVE_TIMEOUT_MS / 4,
      shouldUpgradeCallback: (request) => webSockets.isWanted(request),
    },
    trustProxy: config.TRUSTED_PROXIES ?? false,
    genReqId: newRequestId,
    logger: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Fastify would load compilers of its own, which no route uses and which take 3 MB.
    schemaController: {
      compilersFactory: {
        // Its types know JSON schemas only.
        buildValidator: () => compileValidator as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
    ...errorHandler.beforeRouting,
  }).withTypeProvider<ZodTypeProvider>()
  watchConnections(app.server)
  app.decorate('webSockets', webSockets)
  webSockets.listen(app)
  usePlainMessages()
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  errorHandler.attach(app, deps.log)
  securityHeaders(app, config)
  trackRequests(app, deps)
  traceRequests(app, deps.tracing)
  guard(app, config, deps.resolvers)
  countByCaller(app)
  refuseEarly(app)
  refuseUnknownParameters(app)
  limitAnonymous(app)
  limitStreams(app, deps)
  receiveBodies(app, config)
  await parseBodies(app)
  compressLists(app)
  describeApi(app, deps.version)
  await serveDashboard(app, deps.resolvers.isOwnerToken)
  return app
}
