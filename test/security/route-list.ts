import { subscribe } from 'node:diagnostics_channel'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { templateOf } from '#kernel/http'

/** A route as the server registered it, whether the API document shows it or not. */
export interface Route {
  method: string
  /** The path as the API document writes it. */
  template: string
  config: FastifyContextConfig
  operationId: string | undefined
  /** What browsers get at the path: other clients get the route itself. */
  forPages: boolean
}

const byServer = new WeakMap<FastifyInstance, Map<string, Route>>()
const servers: FastifyInstance[] = []

// Listens to Fastify itself, so that no route can be left out. Import this before a server is created.
subscribe('fastify.initialization', (message) => {
  const { fastify: app } = message as { fastify: FastifyInstance }
  const found = new Map<string, Route>()
  byServer.set(app, found)
  servers.push(app)
  app.addHook('onRoute', ({ method, url, config = {}, schema }) => {
    const template = templateOf({ url, docs: config.docs ?? {} })
    for (const name of [method].flat()) {
      if (name === 'HEAD' || name === 'OPTIONS') continue
      const route = { method: name, template, operationId: schema?.operationId }
      found.set(`${name} ${template}`, { ...route, config, forPages: false })
      if (config.page === undefined) continue
      const asPage = { needs: 'page', open: config.page } as const
      found.set(`${name} ${template} (page)`, { ...route, config: asPage, forPages: true })
    }
  })
})

/** Every route of the first Signalbox server that this process started, by method and path. */
export function routesOfServer(): ReadonlyMap<string, Route> {
  const app = servers.find((each) => typeof each.apiDocument === 'function')
  const found = app && byServer.get(app)
  if (!found || found.size < 60) throw new Error(`Only ${found?.size ?? 0} routes were seen`)
  return found
}
