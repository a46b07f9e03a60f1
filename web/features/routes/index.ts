/** What pages of other things show of routes. */
export { RoutesOfModel } from './routes-of-model.tsx'
