import type { Http } from '#kernel/http'
import type { Details } from '../details.ts'
import type { Initiatives } from '../initiatives.ts'
import { detailRoutes } from './details.ts'
import { initiativeRoutes, type InitiativeExtras } from './initiatives.ts'

export interface RouteDeps {
  initiatives: Initiatives
  details: Details
  extras: InitiativeExtras
}

export function routes(app: Http, deps: RouteDeps): void {
  initiativeRoutes(app, deps)
  detailRoutes(app, deps)
}
