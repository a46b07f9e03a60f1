import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'

import type { FormFile, RecordedForm } from './record.ts'

interface OpenPart {
  name: string
  file: FormFile | undefined
  hash: Hash
  value: Buffer[]
}

/** Reads a multipart form as it comes: files are counted and hashed, only fields are kept. */
export async function readForm(source: AsyncIterable<Buffer>, contentType: string): Promise<RecordedForm> {
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(contentType)
  const marker = Buffer.from(`\r\n--${boundary?.[1] ?? boundary?.[2]?.trim() ?? ''}`)
  const form: RecordedForm = { fields: [], files: [] }
  // The first boundary has no line before it; this makes it look like the others.
  let held: Buffer = Buffer.from('\r\n')
  let part: OpenPart | undefined
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk])
    let progress = true
    while (progress) {
      const at = held.indexOf(marker)
      if (at < 0) {
        // Keep what could be the beginning of a boundary, let the rest pass.
        const safe = Math.max(0, held.length - marker.length)
        accept(part, held.subarray(0, safe))
        held = held.subarray(safe)
        progress = false
      } else {
        const headEnd = held.indexOf('\r\n\r\n', at + marker.length)
        const last = held.subarray(at + marker.length, at + marker.length + 2).toString() === '--'
        if (headEnd < 0 && !last) {
          progress = false
        } else {
          accept(part, held.subarray(0, at))
          finish(form, part)
          part = last ? undefined : open(held.subarray(at + marker.length, headEnd).toString())
          held = last ? Buffer.alloc(0) : held.subarray(headEnd + 4)
          progress = !last
        }
      }
    }
  }
  return form
}

function open(head: string): OpenPart {
  const name = /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? ''
  const filename = /filename="([^"]*)"/i.exec(head)?.[1]
  const contentType = /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream'
  const file = filename === undefined ? undefined : { name, filename, contentType, bytes: 0, sha256: '' }
  return { name, file, hash: createHash('sha256'), value: [] }
}

function accept(part: OpenPart | undefined, bytes: Buffer): void {
  if (part === undefined) return
  if (part.file === undefined) {
    part.value.push(Buffer.from(bytes))
    return
  }
  part.file.bytes += bytes.length
  part.hash.update(bytes)
}

function finish(form: RecordedForm, part: OpenPart | undefined): void {
  if (part === undefined) return
  if (part.file === undefined) {
    form.fields.push({ name: part.name, value: Buffer.concat(part.value).toString() })
  } else {
    form.files.push({ ...part.file, sha256: part.hash.digest('hex') })
  }
}
