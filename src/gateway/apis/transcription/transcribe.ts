import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { groupOf, principalOf } from '#kernel/http'
import type { Vault } from '#vault'
import { ClientConnection } from '../../transport/receive.ts'
import { checkModelsAllowed } from '../../request/allowed-models.ts'
import type { Meter } from '../../request/meter.ts'
import { logRequest, type RequestLog } from '../../request/log-request.ts'
import { waitForProvider } from '../../request/wait-for-provider.ts'
import type { Registry } from '../../catalog/registry.ts'
import type { Upstream } from '../../transport/upstream.ts'
import { readBoundary } from './boundary.ts'
import { relayTranscript } from './relay-transcript.ts'
import { destinationOf, toCall } from './destination.ts'
import { TranscriptionForm } from './form.ts'
import { Intake } from './intake.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { Spool } from './spool.ts'
import { SpoolQuota } from './spool-quota.ts'
import { Upload } from './upload.ts'

export interface TranscribeDeps {
  registry: Registry
  vault: Vault
  upstream: Upstream
  meter: Meter
  /** Where a file waits whose model comes after it. */
  temporaryFolder: string
  /** How much of the disk such files may use. */
  maxSpoolBytes: number
}

export type Transcribe = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What must be released, however the request ends. */
interface Holdings {
  upload: Upload
  spool: Spool
  body?: Readable
}

export function createTranscribe(deps: TranscribeDeps): Transcribe {
  const quota = new SpoolQuota({ folder: deps.temporaryFolder, maxBytes: deps.maxSpoolBytes })
  return async function transcribe(request, reply) {
    const holdings: Holdings = {
      upload: new Upload(request.raw),
      spool: new Spool(deps.temporaryFolder, quota, groupOf(request).id),
    }
    try {
      return await logRequest(deps, request, '/v1/audio/transcriptions', (log) =>
        serve(deps, log, holdings, request, reply),
      )
    } finally {
      holdings.body?.destroy()
      holdings.upload.discard()
      await holdings.spool.remove()
    }
  }
}

/** Serves one transcription, from the client's first bytes to the last of the response. */
async function serve(
  { registry, vault, upstream }: TranscribeDeps,
  log: RequestLog,
  holdings: Holdings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { entry, outcome, open } = log
  const client = new ClientConnection(reply.raw)
  const contentType = request.headers['content-type'] ?? ''
  const scanner = new MultipartScanner(readBoundary(contentType))
  const form = new TranscriptionForm((name) => {
    entry.model = name
    checkModelsAllowed(principalOf(request), { model: name })
    const { route, model } = registry.requireModel(entry.groupId, name)
    entry.model = model
    entry.provider = route.provider.id
    return destinationOf(route, model)
  })
  const intake = new Intake({ ...holdings, scanner, form })
  const startedAt = performance.now()
  await intake.begin()
  log.times.body += performance.now() - startedAt
  entry.isStream = form.isStream
  const { provider } = form.destination.route
  const override = principalOf(request).key?.providerKeyOverrides[provider.id]
  const key = await vault.choose(entry.groupId, provider, override)
  entry.providerKeyId = key.id
  log.key = key.key
  await open()
  const body = Readable.from(intake.bytes(), { objectMode: false })
  holdings.body = body
  const bytes = intake.declaredBytes
  const call = toCall(form.destination, key.key, { body, contentType, bytes })
  await waitForProvider(log, { call, model: form.destination.upstreamModel }, () =>
    relayTranscript({ upstream, call, provider, client, form, outcome, reply }),
  )
  return reply
}
