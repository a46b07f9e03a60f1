import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const installed = '@portkey-ai/gateway@1.15.2'
/** With a newer server library every stream ends in an error (its issue 1389). */
const overrides = { '@hono/node-server': '1.13.8' }
const installLimitMs = 90_000

/** Installs Portkey's gateway into a folder of its own, without its install scripts; gives the script to run. */
export async function installPortkey(folder: string): Promise<string> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
  await promisify(execFile)(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', installed],
    { cwd: folder, timeout: installLimitMs },
  )
  return join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
}
