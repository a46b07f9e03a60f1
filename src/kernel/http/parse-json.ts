import type { FastifyInstance } from 'fastify'
import { invalid } from '#kernel/errors'

/** JSON bodies must be valid UTF-8: replacement characters would silently change what was sent. */
export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string
    try {
      text = decoder.decode(body as Buffer)
    } catch {
      done(invalid('The body is not valid UTF-8.'), undefined)
      return
    }
    void parse(request, text, done)
  })
}
