import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { text } from 'node:stream/consumers'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, string | number | boolean>
  status?: { code: number }
}

export interface Collector {
  url: string
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[]
  spans(): CollectedSpan[]
  /** What the next requests get; null: nothing at all. */
  respond(given: { status: number; body?: string } | null): void
}

/** A collector that speaks OTLP over HTTP, in JSON. */
export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = []
  let response: Parameters<Collector['respond']>[0] = { status: 200 }
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    if (response?.status === 200) requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (response)
      reply
        .writeHead(response.status, { 'content-type': 'application/json' })
        .end(response.body ?? '{"partialSuccess":{}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => requests.flatMap(({ body }) => spansIn(body)),
    respond: (given) => (response = given),
  }
}

interface Written {
  resourceSpans: {
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}
interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
}

function spansIn(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Written
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(read)) }))
}

function read({ key, value }: Attribute): [string, string | number | boolean] {
  const { stringValue, intValue, doubleValue, boolValue } = value
  return [key, stringValue ?? boolValue ?? doubleValue ?? Number(intValue)]
}
