import { serveThread } from '#kernel/thread'
import { cutImages, maskSecrets } from '../mask/index.ts'
import { mergeParts } from '../search/merge.ts'
import { indexMessages } from '../search/part.ts'
import { blobMark, type Blob } from '../segment.ts'
import { derive, sourceOf } from './derive.ts'
import { pack, unpack } from './pack.ts'
import { withoutNul } from './text.ts'
import type { BlankedLines, Taken, ThreadCall, ThreadResults } from './thread-calls.ts'

/** Parsing, masking and compressing, beside the process that serves requests. */
serveThread<unknown, ThreadCall, ThreadResults[keyof ThreadResults]>(async (call) => ({
  response: run(call),
}))

function run(call: ThreadCall): ThreadResults[keyof ThreadResults] {
  if (call.kind === 'take') return take(call)
  if (call.kind === 'again') return derive({ ...call.input, lines: unpack(call.data).slice(call.skip) })
  if (call.kind === 'index') return indexMessages(call.messages)
  if (call.kind === 'merge') return mergeParts(call.parts, new Set(call.dropped))
  return blank(call)
}

function take({ input, redact, isLate, previous }: ThreadCall & { kind: 'take' }): Taken {
  const blobs = new Map<string, Blob>()
  const lines = input.lines.map((line) => {
    // Cut first: what looks like a key in base64 is chance.
    const cut = cutImages(withoutNul(line))
    for (const blob of cut.blobs) blobs.set(blob.sha256, blob)
    return redact ? maskSecrets(cut.line) : cut.line
  })
  return {
    derived: isLate ? null : derive({ ...input, lines }),
    packed: pack(previous === null ? lines : [...unpack(previous), ...lines]),
    blobs: [...blobs.values()],
  }
}

const cutOut = new RegExp(`${blobMark}([0-9a-f]{64})`, 'g')

/**
 * Numbers of lines stay the same: an empty line takes the place of one that was erased. The first change of a line is of
 * the session whose line it is; others may be of sessions that it only names, such as the subagent of a call.
 */
function blank({ assistant: id, path, data, sessionKeys }: ThreadCall & { kind: 'blank' }): BlankedLines {
  const { assistant, source } = sourceOf(id, path)
  const reader = assistant.open(source, null)
  const kept = unpack(data).map((line, index) => {
    const [first] = reader.read(line, index)
    return sessionKeys.includes(first?.sessionKey ?? '') ? '' : line
  })
  const blobs = kept.flatMap((line) => [...line.matchAll(cutOut)].map(([, hash = '']) => hash))
  return { ...pack(kept), blobs }
}
