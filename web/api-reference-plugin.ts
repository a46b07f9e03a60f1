import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { Plugin } from 'vite'

/** Puts the script of the API reference beside the dashboard; its page loads it when it is opened. */
export function apiReference(): Plugin {
  return {
    name: 'api-reference',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'api-reference.js', source: await script() })
    },
  }
}

/** One file, with nothing to load from elsewhere; the package hands it out only by a route. */
async function script(): Promise<string> {
  const app = Fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference no longer serves its script')
  return body
}
