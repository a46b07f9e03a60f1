import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { principalOf } from '#kernel/http'
import type { Vault } from '#vault'
import { ClientPresence } from '../client-presence.ts'
import { type Meter, type MeteredRequest, newEntry, newOutcome } from '../meter.ts'
import type { Registry } from '../registry.ts'
import type { Upstream } from '../upstream.ts'
import { readBoundary } from './boundary.ts'
import { deliver } from './deliver.ts'
import { destinationOf, toCall } from './destination.ts'
import { TranscriptionForm } from './form.ts'
import { Intake } from './intake.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { Spool } from './spool.ts'
import { Upload } from './upload.ts'

export interface TranscribeDeps {
  registry: Registry
  vault: Vault
  upstream: Upstream
  meter: Meter
  /** Where a file waits whose model comes after it. */
  temporaryFolder: string
}

export type Transcribe = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What must be let go of, whatever the end. */
interface Holdings {
  upload: Upload
  spool: Spool
  body?: Readable
}

export function createTranscribe(deps: TranscribeDeps): Transcribe {
  return async function transcribe(request, reply) {
    const holdings: Holdings = {
      upload: new Upload(request.raw),
      spool: new Spool(deps.temporaryFolder),
    }
    try {
      return await serve(deps, holdings, request, reply)
    } finally {
      holdings.body?.destroy()
      holdings.upload.discard()
      await holdings.spool.remove()
    }
  }
}

/** The whole story of a transcription, from the client's first bytes to the settled record. */
async function serve(
  { registry, vault, upstream, meter }: TranscribeDeps,
  holdings: Holdings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const principal = principalOf(request)
  const client = new ClientPresence(reply.raw)
  const entry = newEntry(request, '/v1/audio/transcriptions')
  const outcome = newOutcome()
  let metered: MeteredRequest | undefined
  try {
    const contentType = request.headers['content-type'] ?? ''
    const scanner = new MultipartScanner(readBoundary(contentType))
    const form = new TranscriptionForm((model) => {
      entry.model = model
      const route = registry.route(entry.groupId, model)
      entry.provider = route.provider.id
      return destinationOf(route, model)
    })
    const intake = new Intake({ ...holdings, scanner, form })
    await intake.begin()
    entry.isStream = form.isStream
    const { provider } = form.destination.route
    const override = principal.key?.providerKeyOverrides[provider.id]
    const key = await vault.choose(entry.groupId, provider, override)
    entry.providerKeyId = key.id
    metered = meter.open(entry)
    const body = Readable.from(intake.bytes(), { objectMode: false })
    holdings.body = body
    const bytes = intake.declaredBytes
    const call = toCall(form.destination, key.key.reveal(), { body, contentType, bytes })
    await deliver({ upstream, call, provider, client, form, outcome, reply })
    return reply
  } catch (error) {
    const fault = error instanceof Fault ? error : internalFault(request.id, error)
    outcome.statusCode = fault.status
    outcome.errorMessage = fault.message
    throw fault
  } finally {
    outcome.endedAt = new Date()
    metered ??= meter.open(entry)
    metered.settle(outcome)
    if (entry.providerKeyId) vault.noteOutcome(entry.providerKeyId, outcome.errorMessage)
  }
}

const internalFault = (requestId: string, cause: unknown): Fault =>
  new Fault(faults.internal, `Something went wrong on our side. Quote ${requestId} when you report it.`, {
    cause,
  })
