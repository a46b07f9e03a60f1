import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { openOwnerLink, type IsOwnerToken } from './local-owner.ts'
import { createRateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the dashboard, which shows the page for the URL. */
    sendPage(): FastifyReply
  }
}

const folder = join(import.meta.dirname, '../../../web/dist')
const notBuilt =
  '<!doctype html><title>Signalbox</title><p>The dashboard is not built. Run: npm run build:web'
const page = {
  config: { needs: 'page', open: 'The dashboard holds no data: it fetches them as the person who uses it.' },
  schema: { hide: true },
} as const

export async function serveDashboard(app: FastifyInstance, isOwnerToken: IsOwnerToken): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  app.decorateReply('sendPage', function sendPage() {
    this.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return isBuilt ? this.sendFile('index.html', { cacheControl: false }) : this.code(503).send(notBuilt)
  })
  const wrongLinks = createRateLimit({ burst: 10, perSecond: 0.2 })
  app.get<{ Querystring: { token?: unknown; group_id?: unknown } }>('/', page, (request, reply) => {
    const { token, group_id: groupId } = request.query
    return typeof token === 'string'
      ? openOwnerLink(request, reply, token, { isOwnerToken, wrongLinks, groupId })
      : reply.sendPage()
  })
  if (!isBuilt) return
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true })
  // The names of assets contain a hash of their content, so they never change.
  app.get<{ Params: { '*': string } }>('/assets/*', page, (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { immutable: true, maxAge: '365d' }),
  )
  for (const name of readdirSync(folder, { withFileTypes: true })) {
    if (name.isFile() && !/^index\.html|\.(br|gz)$/.test(name.name))
      app.get(`/${name.name}`, page, (_request, reply) => reply.sendFile(name.name))
  }
}
