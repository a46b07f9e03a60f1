import type { Http } from '#kernel/http'
import { wantsPage } from './provider-request.ts'

type Strategy = Parameters<Http['addConstraintStrategy']>[0]
type Store = ReturnType<Strategy['storage']>
type Handler = Parameters<Store['set']>[1]

/** Lets a route be for browsers alone (`constraints: { forPages: 'yes' }`) next to one for all other clients. */
export const forPages: Strategy = {
  name: 'forPages',
  storage() {
    const handlers = new Map<string, Handler>()
    return {
      get: (value) => handlers.get(String(value)) ?? null,
      set: (value, handler) => void handlers.set(String(value), handler),
    }
  },
  deriveConstraint: (request) => (wantsPage(request) ? 'yes' : undefined),
  validate: () => undefined,
}
