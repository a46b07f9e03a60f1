import type { FastifyReply } from 'fastify'
import type { ClientPresence } from '../../transport/client-presence.ts'
import type { Outcome } from '../../request/meter.ts'
import type { Provider } from '../../providers/index.ts'
import { reportedFault } from '../../passthrough/fault.ts'
import { isAbsent, isObject, parseJson } from '../../wire/json.ts'
import { redirectFault, type WholeAnswer } from '../../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../../transport/upstream.ts'
import type { TranscriptionForm } from './form.ts'
import { receiveAnswer } from './receive-answer.ts'
import { TranscriptReader } from './transcript-reader.ts'
import { readTranscriptionUsage, transcriptOf } from './usage.ts'

export interface Delivery {
  upstream: Upstream
  call: UpstreamCall
  provider: Provider
  client: ClientPresence
  form: TranscriptionForm
  outcome: Outcome
  reply: FastifyReply
}

/** Makes the call and passes on what the provider answers, byte for byte. Throws what the client is to be told. */
export async function deliver(delivery: Delivery): Promise<void> {
  const { upstream, call, provider, client, form, outcome, reply } = delivery
  const reader = new TranscriptReader(provider.name)
  const received = await receiveAnswer(upstream, {
    call,
    client,
    reader,
    response: reply.raw,
    begin(contentType) {
      void reply.hijack()
      return {
        ...reply.getHeaders(),
        'content-type': contentType,
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      }
    },
  })
  if (received.kind === 'whole') return passOn(delivery, received.answer)
  outcome.ttftMs = received.ttftMs
  outcome.usage = reader.usage
  if (!reader.usage) outcome.estimateFrom = { prompt: form.prompt, delivered: reader.delivered }
  if (!received.fault) return undefined
  outcome.statusCode = received.fault.status
  outcome.errorMessage = received.fault.message
  return undefined
}

function passOn({ provider, form, outcome, reply }: Delivery, answer: WholeAnswer): void {
  const { status, headers, body } = answer
  if (status < 200 || status >= 300) {
    throw redirectFault(status) ?? provider.fault({ status, headers, body: body.toString() })
  }
  const contentType = headers['content-type'] ?? 'application/octet-stream'
  const value = contentType.includes('json') ? parseJson(body.toString()) : undefined
  // An error can come with status 200; it must never pass for a transcript.
  if (isObject(value) && !isAbsent(value['error'])) throw reportedFault(provider.name, value)
  if (isObject(value)) outcome.usage = readTranscriptionUsage(value, body)
  if (!outcome.usage) outcome.estimateFrom = { prompt: form.prompt, delivered: transcriptOf(value, body) }
  void reply.code(200).header('content-type', contentType).send(body)
}
