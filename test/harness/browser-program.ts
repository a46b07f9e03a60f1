import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'

const folder = join(import.meta.dirname, '../../node_modules/.cache/signalbox/browser')

/**
 * Unpacks Chromium into this clone and gives its path. The package itself would put it into the system's temporary
 * folder, where the browser of another user may lie already.
 */
export async function browserProgram(): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
