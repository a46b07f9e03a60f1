import { createRequire } from 'node:module'
import type undici from 'undici'

/**
 * The clients that the server makes its requests with. Undici's index loads fetch, WebSockets, caches and mocks too,
 * which nothing here uses and which take several megabytes of a process at rest.
 */
const load = createRequire(import.meta.url)

const Dispatcher = load('undici/lib/dispatcher/dispatcher.js') as typeof undici.Dispatcher
// As the index does: `request` and the like are methods of every dispatcher.
Object.assign(Dispatcher.prototype, load('undici/lib/api'))

export const Agent = load('undici/lib/dispatcher/agent.js') as typeof undici.Agent
export type Agent = InstanceType<typeof Agent>

export const Pool = load('undici/lib/dispatcher/pool.js') as typeof undici.Pool
export type Pool = InstanceType<typeof Pool>
