import pg from 'pg'
import type { ApiDocument } from '#kernel/http'
import { routesOfServer, type Route } from './route-list.ts'
import { waitFor } from '../harness/wait.ts'
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
  retryAfter: string | null
}

/** How long a server that is busy is asked again. */
const patienceMs = 30_000
/** A limit for a response that never comes, not for a busy machine. */
const timeoutMs = 120_000

/** Sends with nobody's credentials but those in `headers`. Neither an endless stream nor a script is read. */
export async function send(
  url: string,
  request: ValidRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  let reply: Reply | undefined
  const isServed = async (): Promise<boolean> => {
    reply = await sendOnce(url, request, headers)
    return !isBusy(reply.status, reply.retryAfter)
  }
  await waitFor('a server that is not busy', isServed, patienceMs).catch((error: unknown) => {
    if (reply === undefined) throw error
  })
  return reply as Reply
}

async function sendOnce(url: string, request: ValidRequest, headers: Record<string, string>): Promise<Reply> {
  const { body, type } = bodyOf(request)
  const response = await fetch(`${url}${urlOf(request)}`, {
    method: request.method,
    headers: { ...request.headers, ...(type !== undefined && { 'content-type': type }), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  })
  const contentType = response.headers.get('content-type') ?? ''
  const head = { status: response.status, type: contentType, retryAfter: response.headers.get('retry-after') }
  if (/event-stream|javascript/.test(contentType)) {
    await response.body?.cancel()
    return { ...head, text: '' }
  }
  return { ...head, text: await response.text() }
}

/** On a busy machine that is no fault of the route. */
export function isBusy(status: number, retryAfter: string | null | undefined): boolean {
  return status === 503 && Boolean(retryAfter)
}
