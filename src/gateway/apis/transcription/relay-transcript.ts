import type { FastifyReply } from 'fastify'
import type { Outcome } from '../../request/meter.ts'
import { beginStream, relay } from '../../request/relay.ts'
import type { Provider } from '../../providers/index.ts'
import { reportedFault } from '../../passthrough/fault.ts'
import { isAbsent, isObject, parseJson } from '../../wire/json.ts'
import { redirectFault } from '../../transport/faults.ts'
import {
  providerHeaders,
  upstreamIdOf,
  type ClientConnection,
  type WholeResponse,
} from '../../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../../transport/upstream.ts'
import type { TranscriptionForm } from './form.ts'
import { TranscriptReader } from './transcript-reader.ts'
import { readTranscriptionUsage, transcriptOf } from './usage.ts'

export interface TranscriptRelay {
  upstream: Upstream
  call: UpstreamCall
  provider: Provider
  client: ClientConnection
  form: TranscriptionForm
  outcome: Outcome
  reply: FastifyReply
}

/** Makes the call and forwards the provider's response byte for byte. Throws the fault to send when nothing was sent yet. */
export async function relayTranscript(given: TranscriptRelay): Promise<void> {
  const { upstream, call, provider, client, form, outcome, reply } = given
  const reader = new TranscriptReader(provider.name)
  const received = await relay(upstream, {
    call,
    client,
    reader,
    response: reply.raw,
    // Some models ignore that a stream was asked for.
    isStream: (contentType) => contentType.toLowerCase().startsWith('text/event-stream'),
    received: (headers) => (outcome.upstreamRequestId = upstreamIdOf(headers, call.mask)),
    beginsAtOnce: true,
    begin(contentType, headers) {
      beginStream(reply, call.mask.text(contentType), providerHeaders(headers, call.mask))
      // The first word may take long; the client learns before that the request was accepted.
      reply.raw.flushHeaders()
    },
    faultEvent: (fault) => `data: ${JSON.stringify(fault.body())}\n\n`,
  })
  if (received.kind === 'whole') return sendWhole(given, received)
  outcome.ttftMs = received.ttftMs
  outcome.usage = reader.usage
  if (!reader.usage) outcome.estimateFrom = { prompt: form.prompt, delivered: reader.delivered }
  if (!received.fault) return undefined
  outcome.statusCode = received.fault.status
  outcome.errorMessage = received.fault.message
  return undefined
}

function sendWhole({ call, provider, form, outcome, reply }: TranscriptRelay, response: WholeResponse): void {
  const { status, headers, body } = response
  if (status < 200 || status >= 300) {
    throw redirectFault(status) ?? provider.fault({ status, headers, body: body.toString() })
  }
  const contentType = call.mask.text(headers['content-type'] ?? 'application/octet-stream')
  const value = contentType.includes('json') ? parseJson(body.toString()) : undefined
  // An error can come with status 200; it must never pass for a transcript.
  if (isObject(value) && !isAbsent(value['error'])) throw reportedFault(provider.name, value)
  if (isObject(value)) outcome.usage = readTranscriptionUsage(value, body)
  if (!outcome.usage) outcome.estimateFrom = { prompt: form.prompt, delivered: transcriptOf(value, body) }
  void reply
    .code(200)
    .headers(providerHeaders(headers, call.mask))
    .header('content-type', contentType)
    .send(body)
}
