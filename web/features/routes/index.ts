/** What other pages may use of this one. */
export { routesQuery } from './route-queries.ts'
export { RoutesOfModel } from './routes-of-model.tsx'
