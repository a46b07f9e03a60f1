/** What other pages may use of this one. */
export { routesQuery } from './route-queries.ts'
