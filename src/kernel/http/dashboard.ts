import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the dashboard, which shows the page for the address. */
    sendPage(): FastifyReply
  }
}

const folder = join(import.meta.dirname, '../../../web/dist')
const notBuilt =
  '<!doctype html><title>Signalbox</title><p>The dashboard is not built. Run: npm run build:web'

export async function serveDashboard(app: FastifyInstance): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  app.decorateReply('sendPage', function sendPage() {
    this.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return isBuilt ? this.sendFile('index.html', { cacheControl: false }) : this.code(503).send(notBuilt)
  })
  app.get('/', { config: { needs: 'page' }, schema: { hide: true } }, (_request, reply) => reply.sendPage())
  if (!isBuilt) return
  await app.register(async (scope) => {
    // Assets carry a hash of their content in the name, so they never change.
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
    })
  })
}
