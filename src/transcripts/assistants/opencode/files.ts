import { defined, stringOf, type JsonObject } from '../json.ts'
import type { PartContext } from './context.ts'

export function emitFile(
  { message, isSubagent, emit }: PartContext,
  file: JsonObject,
  key: string,
  callKey?: string,
): void {
  const url = stringOf(file['url'])
  if (url === undefined) return
  const [, mime, data = url] = /^data:([^;,]+)(?:;[^,]*)?,(.*)$/s.exec(url) ?? []
  const type = stringOf(file['mime']) ?? mime ?? null
  const isPerson = callKey === undefined && message['role'] === 'user' && !isSubagent
  emit({
    key,
    role: callKey === undefined ? 'user' : 'tool',
    kind: 'image',
    ...defined<{ content: string }>({ content: stringOf(file['filename']) }),
    image: { mime: type, data },
    ...(callKey === undefined
      ? { origin: isPerson ? ('human' as const) : ('injected' as const) }
      : { toolCallKey: callKey }),
  })
}
