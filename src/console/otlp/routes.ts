import { z } from 'zod'
import { Fault, faults } from '#kernel/errors'
import { groupOf, keepBytes, prepareJson, readJson, type Http, type RouteDocs } from '#kernel/http'
import { maxEventsPerCall } from '../contract.ts'
import { mediaType, unpack } from '../ingest/body.ts'
import type { IngestDeps } from '../ingest/routes.ts'
import { decodeLogs } from './decode-logs.ts'
import { readLogs, type LogLimits, type ReadLogs } from './read-logs.ts'

const protobuf = 'application/x-protobuf'
const limits: LogLimits = { records: 20_000, characters: 32 << 20 }
const bytes = z.string().meta({ format: 'binary' })

const docs: RouteDocs = {
  body: {
    'application/json': {
      schema: z.object({ resourceLogs: z.array(z.record(z.string(), z.unknown())) }),
      example: {
        resourceLogs: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'payments' } }] },
            scopeLogs: [{ logRecords: [{ severityNumber: 9, body: { stringValue: 'Payment accepted' } }] }],
          },
        ],
      },
    },
    [protobuf]: { schema: bytes, example: '' },
  },
  response: {
    200: {
      description: 'The records are stored, except those that `partialSuccess` counts.',
      content: {
        'application/json': {
          schema: z.object({
            partialSuccess: z.object({ rejectedLogRecords: z.string(), errorMessage: z.string() }).optional(),
          }),
          example: {},
        },
        [protobuf]: { schema: bytes, example: '' },
      },
    },
  },
  errors: ['notFound', 'requestTooLarge', 'unsupportedMediaType', 'unavailable'],
}

/** Logs over OTLP/HTTP, at the path that OpenTelemetry's exporters use. */
export function otlpRoutes(app: Http, { maxBytes, accept }: IngestDeps): void {
  void app.register((scope: Http, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', keepBytes)
    scope.post(
      '/v1/logs',
      {
        config: { needs: 'events', keyOnly: true, docs },
        schema: {
          tags: ['Console'],
          operationId: 'exportLogs',
          summary: 'Send logs over OTLP',
          description:
            'OpenTelemetry logs in JSON or Protocol Buffers, with or without gzip. Each record becomes an event.',
        },
      },
      async (request, reply) => {
        const type = mediaType(request)
        if (type !== protobuf && type !== 'application/json')
          throw new Fault(
            faults.unsupportedMediaType,
            `This content type is not supported. Send ${protobuf} or application/json.`,
          )
        const body = await unpack(request, reply, maxBytes)
        if (type !== protobuf) await prepareJson(body, request)
        const logs = readLogs(type === protobuf ? decodeLogs(body) : readJson(body), limits)
        const group = groupOf(request)
        for (let from = 0; from < logs.drafts.length; from += maxEventsPerCall)
          await accept(group.id, logs.drafts.slice(from, from + maxEventsPerCall))
        return type === protobuf
          ? reply.type(protobuf).send(partialSuccess(logs))
          : reply.type('application/json; charset=utf-8').send(JSON.stringify(jsonResponse(logs)))
      },
    )
    done()
  })
}

function jsonResponse({ rejected, reason = '' }: ReadLogs): object {
  if (rejected === 0) return {}
  return { partialSuccess: { rejectedLogRecords: String(rejected), errorMessage: reason } }
}

/** An ExportLogsServiceResponse; without rejected records it is empty. */
function partialSuccess({ rejected, reason = '' }: ReadLogs): Buffer {
  if (rejected === 0) return Buffer.alloc(0)
  const text = Buffer.from(reason)
  const inner = Buffer.concat([
    Buffer.from([0x08]),
    varint(rejected),
    Buffer.from([0x12]),
    varint(text.length),
    text,
  ])
  return Buffer.concat([Buffer.from([0x0a]), varint(inner.length), inner])
}

function varint(value: number): Buffer {
  const found: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...found, rest])
    found.push((rest % 128) + 128)
  }
}
