import { z } from 'zod'
import { assistantIds } from './assistants/index.ts'
import {
  skipReasons,
  type FileIdentity,
  type Segment,
  type SourceName,
  type SourcePosition,
} from './segment.ts'
import { withoutNul } from './derive/text.ts'
import type { WatcherReport } from './segment.ts'

/** Segments, positions and reports as JSON, for a watcher that sends them over HTTP. */

const tooLong = (limit: number) => `must have at most ${limit} characters`
const name = (limit: number) =>
  z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(limit, tooLong(limit))
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be plain text')
const whole = z.int('must be a whole number').min(0, 'must not be negative')
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')

export const rootFields = {
  machine: name(200).meta({ description: 'The name of the machine.', examples: ['laptop'] }),
  assistant: z.enum(assistantIds).meta({ description: 'The assistant that wrote the file.' }),
  root: name(1_000).meta({ description: "The assistant's folder.", examples: ['/home/dev/.claude'] }),
}

export const sourceFields = {
  ...rootFields,
  path: name(1_000).meta({
    description: 'The file below it, with `/`.',
    examples: ['projects/-home-dev-shop/7d9f2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f.jsonl'],
  }),
}

export const fileCursor = z
  .string()
  .regex(/^\d{1,18}$/, 'must be the next_cursor of a page')
  .meta({ description: 'The `next_cursor` of the page before.', examples: ['1000'] })

export const filePage = z.object({ data: z.array(z.string()), next_cursor: z.string().nullable() }).meta({
  examples: [
    { data: ['projects/-home-dev-shop/7d9f2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f.jsonl'], next_cursor: null },
  ],
})

const identity = z
  .object({
    device: name(100),
    inode: name(100),
    head_hash: sha256,
    head_bytes: whole.max(4_096, 'must be at most 4096'),
  })
  .nullable()
const cursor = z
  .unknown()
  .refine((value) => (JSON.stringify(value) ?? '').length <= 100_000, tooLong(100_000))
const tailHash = z.string().max(128, tooLong(128)).optional()

export const segmentBody = z
  .object({
    ...sourceFields,
    generation: whole.max(2 ** 31 - 1, 'must be at most 2147483647'),
    from: whole,
    to: whole,
    identity,
    cursor: cursor.optional(),
    tail_hash: tailHash,
    born_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ examples: ['2026-11-16T12:00:00Z'] }),
    lines: z.array(z.string('must be a string')).max(100_000, 'must have at most 100000 lines'),
    skipped: z
      .array(z.object({ reason: z.enum(skipReasons), bytes: whole, position: whole }))
      .max(1_000, 'must have at most 1000 entries')
      .default([]),
    blobs: z
      .array(
        z.object({
          sha256,
          mime: name(100).nullable(),
          data: z.base64('must be base64'),
        }),
      )
      .max(1_000, 'must have at most 1000 entries')
      .default([]),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        machine: 'laptop',
        assistant: 'claude-code',
        root: '/home/dev/.claude',
        path: 'projects/-home-dev-shop/7d9f2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f.jsonl',
        generation: 0,
        from: 0,
        to: 96,
        identity: null,
        lines: ['{"type":"user","uuid":"u1","message":{"content":"Totals are off by one cent."}}'],
      },
    ],
  })

export const positionBody = z
  .object({
    generation: z.int().meta({ examples: [0] }),
    offset: z.int().meta({ description: 'The next segment begins here.', examples: [96] }),
    identity,
    cursor: z.unknown().meta({ examples: [null] }),
    tail_hash: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({
    id: 'TranscriptPosition',
    examples: [{ generation: 0, offset: 96, identity: null, cursor: null, tail_hash: null }],
  })

export const reportBody = z
  .object({
    machine: sourceFields.machine,
    version: name(100),
    started_at: z.iso.datetime({ offset: true }),
    roots: z
      .array(
        z.object({ assistant: z.enum(assistantIds), path: name(1_000), files: whole, behind_bytes: whole }),
      )
      .max(1_000, 'must have at most 1000 entries'),
    skipped: z
      .array(
        z.object({
          assistant: z.enum(assistantIds),
          path: name(1_000),
          reason: z.enum(skipReasons),
          bytes: whole,
          at: z.iso.datetime({ offset: true }),
        }),
      )
      .max(100, 'must have at most 100 entries'),
    problem: name(1_000).nullable(),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        machine: 'laptop',
        version: '1.0.0',
        started_at: '2026-11-16T12:00:00Z',
        roots: [{ assistant: 'claude-code', path: '/home/dev/.claude', files: 12, behind_bytes: 0 }],
        skipped: [],
        problem: null,
      },
    ],
  })

type SegmentBody = z.infer<typeof segmentBody>
type PositionBody = z.infer<typeof positionBody>
type ReportBody = z.infer<typeof reportBody>

export function segmentToWire({ source, blobs, tailHash: tail, bornAt, ...segment }: Segment): SegmentBody {
  return {
    ...source,
    ...segment,
    lines: segment.lines.map(withoutNul),
    identity: identityToWire(segment.identity),
    ...(tail === undefined ? {} : { tail_hash: tail }),
    ...(bornAt === undefined ? {} : { born_at: bornAt }),
    blobs: blobs.map(({ sha256: hash, mime, data }) => ({
      sha256: hash,
      mime,
      data: Buffer.from(data).toString('base64'),
    })),
  }
}

export function segmentFromWire(body: SegmentBody): Segment {
  return {
    source: sourceFrom(body),
    generation: body.generation,
    from: body.from,
    to: body.to,
    identity: identityFromWire(body.identity),
    cursor: body.cursor ?? null,
    ...(body.tail_hash === undefined ? {} : { tailHash: body.tail_hash }),
    ...(body.born_at === undefined ? {} : { bornAt: body.born_at }),
    lines: body.lines,
    skipped: body.skipped,
    blobs: body.blobs.map(({ sha256: hash, mime, data }) => ({
      sha256: hash,
      mime,
      data: Buffer.from(data, 'base64'),
    })),
  }
}

export function sourceFrom({ machine, assistant, root, path }: SourceName): SourceName {
  return { machine, assistant, root, path }
}

export function positionToWire(position: SourcePosition): PositionBody {
  return {
    generation: position.generation,
    offset: position.offset,
    identity: identityToWire(position.identity),
    cursor: position.cursor ?? null,
    tail_hash: position.tailHash ?? null,
  }
}

export function positionFromWire(body: PositionBody): SourcePosition {
  return {
    generation: body.generation,
    offset: body.offset,
    identity: identityFromWire(body.identity),
    cursor: body.cursor,
    ...(body.tail_hash === null ? {} : { tailHash: body.tail_hash }),
  }
}

export function reportToWire({
  machine,
  version,
  startedAt,
  roots,
  skipped,
  problem,
}: WatcherReport): ReportBody {
  return {
    machine,
    version,
    started_at: startedAt,
    roots: roots.map(({ behindBytes, ...root }) => ({ ...root, behind_bytes: behindBytes })),
    skipped,
    problem,
  }
}

function identityToWire(value: FileIdentity | null): PositionBody['identity'] {
  if (value === null) return null
  return { device: value.device, inode: value.inode, head_hash: value.headHash, head_bytes: value.headBytes }
}

function identityFromWire(value: PositionBody['identity']): FileIdentity | null {
  if (value === null) return null
  return { device: value.device, inode: value.inode, headHash: value.head_hash, headBytes: value.head_bytes }
}
