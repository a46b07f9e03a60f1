import type { FastifyRequest } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { type Http, type MediaDocs, type RouteDocs, createRateLimit } from '#kernel/http'
import { deliveryResult, genericItem, hookKinds, type HookKind } from '../contract.ts'
import type { Deliveries, Received } from '../deliveries.ts'
import type { ActiveHook, HookCache } from '../hook-cache.ts'
import { cleanText } from '../mapping/payload.ts'
import { readClaim, signatureMismatch, type Claim } from '../signatures.ts'
import { BoundedCache } from '#kernel/cache'
import { tooMany } from '#kernel/errors'

const tags = ['Webhooks']

/** GitHub sends up to 25 MB, but hardly ever more than this. */
const maxBytes = 5 * 1024 * 1024
/** Without an ID every hook of the kind is tried, so less is read before the sender is known. */
const maxBytesWithoutId = 1024 * 1024

const params = z.object({ hook_id: z.uuid().meta({ description: 'The ID of the webhook.' }) })
const maybeId = params.partial()

export interface DeliverDeps {
  hooks: HookCache
  deliveries: Deliveries
}

/** Senders have no account here: the signature over the body proves who they are. */
export function deliverRoutes(app: Http, deps: DeliverDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const types = ['application/json', 'application/x-www-form-urlencoded']
    scope.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const wrong = createWrongSignatures()
    for (const kind of hookKinds) deliverRoute(scope, kind, { ...deps, wrong })
  })
}

function deliverRoute(
  scope: Http,
  kind: HookKind,
  { hooks, deliveries, wrong }: DeliverDeps & { wrong: WrongSignatures },
): void {
  const waiting = new WeakMap<FastifyRequest, { claim: Claim; candidates: readonly ActiveHook[] }>()

  /** Before the body is read: who has no signature, or names no hook, costs nothing more. */
  async function admit(request: FastifyRequest): Promise<void> {
    const claim = readClaim(kind, request.headers)
    // Fastify checks the parameters only after the body.
    if (!maybeId.safeParse(request.params).success) throw signatureMismatch(kind)
    const { hook_id: id } = request.params as { hook_id?: string }
    if (id === undefined && declaredBytes(request) > cheapBytes) wrong.check(request.ip)
    const candidates = await hooks.candidates(kind, id)
    if (candidates.length === 0) throw signatureMismatch(kind)
    waiting.set(request, { claim, candidates })
  }

  async function verified(request: FastifyRequest, body: Buffer): Promise<ActiveHook> {
    const { claim, candidates } = waiting.get(request) ?? { claim: () => false, candidates: [] }
    let hook: ActiveHook | undefined
    // All are tried, so that the time does not tell which one matched.
    for (const candidate of candidates) {
      if (claim(candidate.verifying, body)) hook ??= candidate
      if (body.length > cheapBytes) await nextTurn()
    }
    if (hook) return hook
    if (candidates.length > 1 && body.length > cheapBytes) wrong.count(request.ip)
    throw signatureMismatch(kind)
  }

  for (const withId of [true, false]) {
    scope.post(
      `/api/webhooks/${kind}${withId ? '/:hook_id' : ''}`,
      {
        bodyLimit: withId ? maxBytes : maxBytesWithoutId,
        config: {
          needs: 'anyone',
          anyQuery: 'Senders may add parameters of their own to the address.',
          anyFields: 'The payload is that of another product.',
          open: 'the signature over the body proves the sender',
          signedBody: true,
          docs: docsOf(kind),
        },
        preParsing: async (request) => admit(request),
        schema: {
          tags,
          operationId: `deliver${names[kind]}${withId ? '' : 'BySignature'}`,
          summary: withId ? `Deliver from ${titles[kind]}` : `Deliver from ${titles[kind]}, by signature`,
          description: withId ? withIdText : withoutIdText,
          ...(withId && { params }),
          response: { 200: deliveryResult, 202: deliveryResult },
        },
      },
      async (request, reply) => {
        const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
        const hook = await verified(request, body)
        const result = await deliveries.receive(hook, receivedFrom(kind, request, body))
        return reply.code(result.duplicate ? 200 : 202).send(result)
      },
    )
  }
}

/** A body that does not say its size may be of any. */
const declaredBytes = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? Infinity)

const eventHeaders: Readonly<Partial<Record<HookKind, string>>> = {
  github: 'x-github-event',
  gitlab: 'x-gitlab-event',
}

function receivedFrom(kind: HookKind, { headers }: FastifyRequest, body: Buffer): Received {
  const text = (name: string | undefined): string | null => {
    const value = name === undefined ? undefined : headers[name]
    return typeof value === 'string' ? cleanText(value, 200) : null
  }
  return {
    event: text(eventHeaders[kind]),
    externalId: kind === 'github' ? text('x-github-delivery') : null,
    contentType: text('content-type') ?? 'application/json',
    body,
  }
}

const names = {
  github: 'GitHub',
  gitlab: 'GitLab',
  alertmanager: 'Alertmanager',
  grafana: 'Grafana',
  generic: 'Generic',
} satisfies Record<HookKind, string>

const titles: Readonly<Record<HookKind, string>> = {
  ...names,
  alertmanager: 'Prometheus Alertmanager',
  generic: 'any program',
}

const withIdText =
  'The signature is verified over the body as it was sent. A delivery that was processed before is answered with 200 and not processed again; one that nothing follows from is stored and answered with `ignored` and a reason.'
const withoutIdText =
  'The same without an ID in the address: the webhook is the one whose secret matches. At most 32 are tried and the body has at most 1 MiB, so use the address with the ID where you can.'

const anyJson: MediaDocs = {
  schema: z.looseObject({}),
  example: { action: 'created' },
}

function docsOf(kind: HookKind): RouteDocs {
  const json =
    kind === 'generic' ? { schema: z.union([genericItem, z.array(genericItem).min(1).max(100)]) } : anyJson
  const form = { schema: z.object({ payload: z.string() }), example: { payload: '{"action":"created"}' } }
  return {
    body: {
      'application/json': json,
      ...(kind === 'github' && { 'application/x-www-form-urlencoded': form }),
    },
    errors: ['notAuthenticated', 'rateLimit', 'unavailable'],
  }
}

/** Below this size it costs next to nothing to try every webhook. */
const cheapBytes = 16 * 1024

/**
 * A delivery without an ID is verified with the secret of every webhook, so an address that sends large bodies with
 * wrong signatures has to wait before the next large one is read.
 */
function createWrongSignatures(now = () => performance.now()) {
  const limit = createRateLimit({ burst: 20, perSecond: 1, now })
  const waitsUntil = new BoundedCache<string, { at: number }>('webhook wrong signatures', 10_000)
  return {
    count(address: string): void {
      const seconds = limit(address)
      if (seconds > 0) waitsUntil.set(address, { at: now() + seconds * 1_000 })
    },
    /** Throws while the address has to wait. */
    check(address: string): void {
      const seconds = Math.ceil(((waitsUntil.get(address)?.at ?? 0) - now()) / 1_000)
      if (seconds > 0) throw tooMany('signatures', seconds)
    },
  }
}

type WrongSignatures = ReturnType<typeof createWrongSignatures>
