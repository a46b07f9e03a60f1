import type { OpenApi, Operation } from './openapi.ts'
import { exampleOf } from './schema.ts'

/** A call to paste into a terminal. The key is read from the environment, never written out. */
export function curlFor(operation: Operation, document: OpenApi, origin: string): string {
  const { method, path, parameters, body, isPublic } = operation
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${parameter.name.toUpperCase()}`)
    .join('&')
  const address = origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${address}${query && `?${query}`}"`]
  if (!isPublic) parts.push('-H "Authorization: Bearer $SIGNALBOX_KEY"')
  if (body) {
    const text = JSON.stringify(exampleOf(body.schema, document), null, 2)
    parts.push(`-H "Content-Type: ${body.mediaType}"`, `-d '${text.replaceAll("'", String.raw`'\''`)}'`)
  }
  return parts.join(' \\\n  ')
}
