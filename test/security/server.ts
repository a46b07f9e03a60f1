import pg from 'pg'
import type { ApiDocument } from '#kernel/http'
import { routesOfServer, type Route } from './route-list.ts'
import { startGateway, type GatewayProduct } from '../harness/gateway.ts'
import { bodyOf, urlOf, type ValidRequest } from './requests.ts'

export interface AuditedServer extends GatewayProduct {
  document: ApiDocument
  routes: ReadonlyMap<string, Route>
  groupId: string
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/** Named after what only this group may see: found elsewhere, something leaked. */
export const marker = 'seen-by-default-only'

/** The whole product in local mode, with a fake provider, its routes and its API document. */
export async function startAudited(environment: Record<string, string> = {}): Promise<AuditedServer> {
  const product = await startGateway(environment)
  const { target } = product
  if (target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
  const document = (await product.call('/openapi.json')).json as ApiDocument
  const groupId = product.first.groupId
  return {
    ...product,
    document,
    routes: routesOfServer(),
    groupId,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
      const client = new pg.Client({ ...target.address, database: target.database })
      await client.connect()
      try {
        return (await client.query<Row>(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
}

export interface Reply {
  status: number
  type: string
  text: string
}

/** Sends with nobody's credentials but those in `headers`. Neither an endless stream nor a script is read. */
export async function send(
  url: string,
  request: ValidRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  const { body, type } = bodyOf(request)
  const response = await fetch(`${url}${urlOf(request)}`, {
    method: request.method,
    headers: { ...request.headers, ...(type !== undefined && { 'content-type': type }), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
    ...(body !== undefined && { body }),
  })
  const contentType = response.headers.get('content-type') ?? ''
  if (/event-stream|javascript/.test(contentType)) {
    await response.body?.cancel()
    return { status: response.status, type: contentType, text: '' }
  }
  return { status: response.status, type: contentType, text: await response.text() }
}
