import type { Readable } from 'node:stream'
import { invalid } from '#kernel/errors'
import { maskFor, type Secret } from '#kernel/log'
import type { Provider } from '../../providers/index.ts'
import type { Route } from '../../catalog/registry.ts'
import type { UpstreamCall } from '../../transport/upstream.ts'

/** Where a transcription goes, and under which name of the model. */
export interface Destination {
  route: Route
  path: string
  upstreamModel: string
}

export function destinationOf(route: Route, model: string): Destination {
  const path = route.provider.transcriptionPath
  if (path === undefined) {
    throw invalid(`${route.provider.name} does not transcribe audio. Choose another model.`, 'model')
  }
  return { route, path, upstreamModel: withoutGatewayPrefix(route.provider, model) }
}

/** A prefix that ends with a slash is the gateway's own; the provider does not know it. */
function withoutGatewayPrefix({ prefixes }: Provider, model: string): string {
  const own = prefixes.filter((prefix) => prefix.endsWith('/') && model.startsWith(prefix))
  return model.slice(Math.max(0, ...own.map(({ length }) => length)))
}

export function toCall(
  { route, path }: Destination,
  key: Secret,
  form: { body: Readable; contentType: string; bytes: number | null },
): UpstreamCall {
  const credentials = route.provider.credentials(key.reveal())
  return {
    baseUrl: route.baseUrl,
    path,
    query: { ...credentials.query },
    method: 'POST',
    headers: {
      'content-type': form.contentType,
      // Not every server takes a form whose length it does not know.
      ...(form.bytes !== null && { 'content-length': String(form.bytes) }),
      'accept-encoding': 'identity',
      'user-agent': 'signalbox',
      ...credentials.headers,
    },
    body: form.body,
    allowPrivate: route.allowPrivate,
    mask: maskFor(key),
  }
}
