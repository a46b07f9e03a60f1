import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '#test/product'

const root = join(import.meta.dirname, '../..')

/** A folder as a reader of the pages has it: packages to import, the token of the local owner, curl without progress. */
export function readersFolder(ownerToken: string): string {
  const folder = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/owner.token'), ownerToken)
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  return folder
}

/** Runs a block and gives what it printed; throws where it fails. */
export async function runBlock(
  folder: string,
  file: string,
  source: string,
  variables: Record<string, string>,
): Promise<string> {
  writeFileSync(join(folder, file), source)
  const program = file.endsWith('.sh') ? 'sh' : process.execPath
  const env = { PATH: process.env['PATH'], CURL_HOME: folder, ...variables }
  const args = file.endsWith('.sh') ? ['-eu', file] : [file]
  try {
    return (await promisify(execFile)(program, args, { cwd: folder, env, timeout: 60_000 })).stdout
  } catch (error) {
    const { message, stdout } = error as Error & { stdout?: string }
    throw new Error(`${message}\n${stdout}\n${source}`, { cause: error })
  }
}
