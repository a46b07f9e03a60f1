import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Files of the product that start a process from code beside themselves. */
export const startsCode = ['agents/run/child-process.ts', 'agents/run/servers-to-start.ts']

/** The code as if it were in this file. */
export function withPlace(code: string, file: string): string {
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
    .replaceAll('import.meta.filename', JSON.stringify(file))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
}
