import type { LineReader, Source } from '../assistant.ts'
import { dateOf, defined, objectOf, stringOf } from '../json.ts'
import { recordReader } from '../record-reader.ts'
import { typedText } from './messages.ts'

/** `<id>.json`: where and when the session ran. */
export function openManifest({ sessionKey }: Source): LineReader {
  return recordReader(
    () => sessionKey,
    null,
    (manifest, changes) => {
      const metadata = objectOf(manifest['metadata'])
      const title = stringOf(metadata['title'])
      const prompt = stringOf(manifest['prompt'])
      changes.session(
        sessionKey ?? '',
        defined({
          project: stringOf(manifest['cwd']) ?? stringOf(manifest['workspace_root']),
          gitBranch: stringOf(objectOf(metadata['git'])['branch']),
          version: stringOf(objectOf(metadata['sessionHistoryOrigin'])['version']),
          startedAt: dateOf(manifest['started_at']),
          endedAt: dateOf(manifest['ended_at']),
          parentKey: stringOf(metadata['parentSessionId']) ?? stringOf(manifest['parent_session_id']),
          forkedFrom:
            stringOf(metadata['forkedFromSessionId']) ??
            stringOf(objectOf(metadata['fork'])['forkedFromSessionId']),
          title:
            title === undefined
              ? undefined
              : {
                  text: typedText(title),
                  source: title === prompt ? ('prompt' as const) : ('generated' as const),
                },
        }),
      )
    },
  )
}
