import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { shownPath } from './shown-path.ts'

interface Known {
  pattern: RegExp
  methods: Set<string>
}

const tables = new WeakMap<FastifyInstance, Map<string, Known>>()

/** Remembers which methods each path has: Fastify returns 404 even if only the method is wrong. */
export function rememberRoutes(app: FastifyInstance): void {
  const table = new Map<string, Known>()
  tables.set(app, table)
  app.addHook('onRoute', ({ url, method }) => {
    const known = table.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const name of [method].flat()) known.methods.add(name)
    table.set(url, known)
  })
}

/** 405 where only the method is wrong, else 404. */
export function unknownRoute(app: FastifyInstance, request: FastifyRequest): Fault {
  const path = request.url.split('?')[0] ?? '/'
  const methods = allowedMethods(app, path)
  if (methods.length === 0)
    return new Fault(faults.notFound, `Route not found: ${request.method} ${shownPath(path)}.`)
  return new Fault(
    faults.methodNotAllowed,
    `${request.method} is not allowed here. Use ${methods.join(' or ')}.`,
    {
      headers: { allow: methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : each)).join(', ') },
    },
  )
}

function allowedMethods(app: FastifyInstance, path: string): string[] {
  const known = [...(tables.get(app)?.values() ?? [])].filter(({ pattern }) => pattern.test(path))
  return [...new Set(known.flatMap(({ methods }) => [...methods]))]
    .filter((method) => method !== 'HEAD')
    .toSorted()
}

function toPattern(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[^/]+/g, '[^/]+')
    .replace(/\*/g, '.*')
  return new RegExp(`^${source}/?$`)
}
