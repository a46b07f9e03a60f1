import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** The script that shows the API reference, as its package serves it: one file, with nothing to load from elsewhere. */
export async function apiReferenceScript(): Promise<string> {
  const app = Fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference no longer serves its script')
  return body
}
