import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assistants } from '../../src/transcripts/assistants/index.ts'
import { samples } from './samples/index.ts'

/** The samples as files below a home folder; those of databases are left out. */
export function writeSamples(home: string): void {
  for (const { assistant: id, files } of samples) {
    const assistant = assistants.find((each) => each.id === id)
    const root = assistant?.roots(home)[0] ?? home
    for (const { path, records } of files) {
      const form = assistant?.source(path)?.form
      if (form === undefined || form === 'database') continue
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), textOf(records, form))
    }
  }
}

function textOf(records: unknown[], form: 'lines' | 'document'): string {
  if (form === 'lines') return records.map((record) => `${JSON.stringify(record)}\n`).join('')
  return typeof records[0] === 'string' ? records[0] : JSON.stringify(records[0], null, 2)
}
