import type { Http } from '#kernel/http'
import type { Details } from '../details.ts'
import { costRoutes, type CostRouteDeps } from './cost.ts'
import { detailRoutes } from './details.ts'
import { initiativeRoutes, type InitiativeExtras } from './initiatives.ts'

export interface RouteDeps extends CostRouteDeps {
  details: Details
  extras: InitiativeExtras
}

export function routes(app: Http, deps: RouteDeps): void {
  initiativeRoutes(app, deps)
  detailRoutes(app, deps)
  costRoutes(app, deps)
}
