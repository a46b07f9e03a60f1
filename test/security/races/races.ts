import { resourcesFor } from '../resources.ts'
import { validRequest } from '../requests.ts'
import type { Route } from '../route-list.ts'
import { send, type AuditedServer } from '../server.ts'

export interface Raced {
  /** What was deleted while it was changed. */
  resources: string[]
  /** What was created several times at once. */
  collections: string[]
  findings: string[]
}

/** It calls an address where nobody answers. */
const mayFail = new Set(['POST /providers/{provider_id}/models/sync 502'])
/** Without a custom price a model has its built-in one. */
const staysKnown = new Set(['/api/v1/pricing/{model_id}'])
const json = { accept: 'application/json' }
/** How often each race is run, and how many do the same thing in it. */
const rounds = 3
const runners = 4

/** Deletes everything that can be deleted while others change it and add to it, and creates everything at once. */
export async function race(server: AuditedServer): Promise<Raced> {
  const routes = [...server.routes.values()].filter(({ forPages }) => !forPages)
  const raced: Raced = { resources: [], collections: [], findings: [] }
  for (const route of routes.filter(
    ({ method, template }) => method === 'DELETE' && template.endsWith('}'),
  )) {
    raced.resources.push(route.template)
    for (let round = 0; round < rounds; round += 1)
      raced.findings.push(...(await raceDeletion(server, route, routes)))
  }
  for (const route of routes.filter(isCollection)) {
    raced.collections.push(route.template)
    raced.findings.push(...(await raceCreation(server, route)))
  }
  return raced
}

const isCollection = ({ method, template, config }: Route): boolean =>
  method === 'POST' && !template.includes('{') && config.needs === 'admin' && config.keyOnly !== true

/** Two delete, two change, and two call each route below; afterwards it must be gone. */
async function raceDeletion(
  server: AuditedServer,
  route: Route,
  routes: readonly Route[],
): Promise<string[]> {
  // The matrix fails for what cannot be made.
  const path = await resourcesFor(server, route).catch(() => undefined)
  if (!path) return []
  const { template } = route
  const others = routes.filter(
    (each) =>
      each.method !== 'GET' &&
      each.config.keyOnly !== true &&
      (each.template === template || each.template.startsWith(`${template}/`)) &&
      // A route below may name more things, which would have to be made.
      !each.template.slice(template.length).includes('{'),
  )
  const contenders = [...others, ...others]
  const replies = await Promise.all(contenders.map((each) => ask(server, each, path)))
  const findings = contenders.flatMap((each, index) => {
    const status = replies[index] ?? 0
    return status < 500 || mayFail.has(`${each.method} ${each.template} ${status}`)
      ? []
      : [`${each.method} ${each.template} while it is deleted: ${status}`]
  })
  // The matrix fails for a route that nobody can call; here it is enough that nothing of it comes back.
  if (!contenders.some((each, index) => isDeletion(each, template) && (replies[index] ?? 500) < 300))
    return findings
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const again = server.routes.get(`${method} ${template}`)
    const status = again ? await ask(server, again, path) : 404
    // What is deleted does not exist, or its deletion can be repeated.
    if (status < 300 && method !== 'DELETE' && !staysKnown.has(template))
      findings.push(`${method} ${template} after its deletion: ${status}`)
    if (status >= 500) findings.push(`${method} ${template} after its deletion: ${status}`)
  }
  return findings
}

/** Pages have a form in place of the method. */
const isDeletion = (route: Route, template: string): boolean =>
  (route.method === 'DELETE' && route.template === template) || route.template === `${template}/delete`

async function raceCreation(server: AuditedServer, route: Route): Promise<string[]> {
  const statuses = await Promise.all(Array.from({ length: runners }, () => ask(server, route, {})))
  return statuses.some((status) => status >= 500)
    ? [`POST ${route.template}, ${runners} at once: ${statuses.join(', ')}`]
    : []
}

async function ask(server: AuditedServer, route: Route, path: Record<string, string>): Promise<number> {
  const token = server.first.localOwnerToken?.reveal() ?? ''
  const request = validRequest(server.document, route, path)
  return (await send(server.url, request, { ...json, 'x-owner-token': token })).status
}
