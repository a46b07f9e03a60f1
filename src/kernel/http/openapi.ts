import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Need } from '#kernel/auth'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

/** The API document is made from the same schemas that check requests. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Signalbox',
        version,
        description: 'Errors are always { error: { message, type, param, code } }.',
      },
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'A Signalbox API key: sb-…' },
        },
      },
      security: [{ apiKey: [] }],
    },
    transform: (route) => withoutKey(route.route.config?.needs, jsonSchemaTransform(route)),
    transformObject: jsonSchemaTransformObject,
  })
  app.get('/openapi.json', { config: { needs: 'read' }, schema: { hide: true } }, () => app.swagger())
}

/** Routes that anyone may call say so; all others need a key. */
function withoutKey<T extends { schema: object }>(needs: Need | undefined, described: T): T {
  if (needs !== 'anyone' && needs !== 'page') return described
  return { ...described, schema: { ...described.schema, security: [] } }
}
