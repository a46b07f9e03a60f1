import type { Http } from '#kernel/http'
import { decideRoutes } from './decide-routes.ts'
import type { RouteDeps } from './deps.ts'
import { readRoutes } from './read-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import { talkRoutes } from './talk-routes.ts'

export function routes(app: Http, deps: RouteDeps): void {
  streamRoutes(app, deps)
  talkRoutes(app, deps)
  decideRoutes(app, deps)
  readRoutes(app, deps)
}
