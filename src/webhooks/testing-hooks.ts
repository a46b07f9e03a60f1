import { createHmac, randomUUID } from 'node:crypto'
import type { Answer, Product } from '#test/product'
import type { HookKind, NewHook } from './contract.ts'

/** A webhook of a product under test, and deliveries to it signed as its sender signs them. */

export async function createHook(product: Product, kind: HookKind, fields: object = {}): Promise<NewHook> {
  const { status, json } = await product.call('/api/webhooks', { json: { kind, name: kind, ...fields } })
  if (status !== 201) throw new Error(JSON.stringify(json))
  return json as NewHook
}

export const hmac = (secret: string, ...parts: string[]): string =>
  createHmac('sha256', secret).update(parts.join('')).digest('hex')

export interface Sending {
  headers?: Record<string, string>
  /** Without the ID of the hook in the address. */
  bySignature?: boolean
}

export function send(
  product: Product,
  hook: Pick<NewHook, 'kind' | 'id'>,
  body: string,
  { headers = {}, bySignature = false }: Sending = {},
): Promise<Answer> {
  const path = `/api/webhooks/${hook.kind}${bySignature ? '' : `/${hook.id}`}`
  // A sender has no owner token; an empty one takes the place of the harness's.
  return product.call(path, {
    body,
    headers: { 'content-type': 'application/json', 'x-owner-token': '', ...headers },
  })
}

export function sendFromGitHub(
  product: Product,
  hook: NewHook,
  event: string,
  payload: unknown,
  options: Sending = {},
): Promise<Answer> {
  const body = JSON.stringify(payload)
  return send(product, hook, body, {
    ...options,
    headers: {
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${hmac(hook.secret, body)}`,
      ...options.headers,
    },
  })
}

export function sendGeneric(
  product: Product,
  hook: NewHook,
  payload: unknown,
  now = Date.now(),
): Promise<Answer> {
  const body = JSON.stringify(payload)
  const timestamp = String(Math.floor(now / 1_000))
  return send(product, hook, body, {
    headers: {
      'x-signalbox-timestamp': timestamp,
      'x-signalbox-signature': `sha256=${hmac(hook.secret, timestamp, '.', body)}`,
    },
  })
}
