import type { LineReader, Source } from '../assistant.ts'
import { defined, stringOf } from '../json.ts'
import { recordReader } from '../record-reader.ts'

/** `agent-<id>.meta.json`: which call of the parent started the subagent. */
export function openMeta({ sessionKey, parentKey }: Source): LineReader {
  return recordReader(
    () => sessionKey,
    null,
    (meta, changes) => {
      const description = stringOf(meta['description'])
      changes.session(
        sessionKey ?? '',
        defined({
          parentKey,
          parentCallKey: stringOf(meta['toolUseId']),
          title: description === undefined ? undefined : { text: description, source: 'generated' as const },
        }),
      )
    },
  )
}

/** `<session>/custom-title.json`: the title that `/rename` gave. */
export function openTitle({ sessionKey }: Source): LineReader {
  return recordReader(
    () => sessionKey,
    null,
    (record, changes) => {
      const text = stringOf(record['customTitle']) ?? stringOf(record['title'])
      if (text === undefined) changes.unknown(sessionKey, 'a title file without a title')
      else changes.session(sessionKey ?? '', { title: { text, source: 'custom' } })
    },
  )
}

/** `tool-results/<name>.txt`: the whole output of which the transcript has a preview. */
export function openOutput({ sessionKey, name = '' }: Source): LineReader {
  return {
    read(line) {
      const content = textOf(line)
      if (content === undefined) return [{ kind: 'unknown', sessionKey, reason: 'not JSON' }]
      const message = { key: outputKey(name), role: 'tool', kind: 'tool_result', content } as const
      return [{ kind: 'message', sessionKey: sessionKey ?? '', message }]
    },
    state: () => null,
  }
}

export function outputKey(name: string): string {
  return `output:${name}`
}

function textOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '')
  } catch {
    return undefined
  }
}
