import { test } from 'node:test'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { GatewayProduct } from '#test/gateway'
import { temporaryFolder } from '#test/product'
import { blocksOf, clientBlock } from '../documents/blocks.ts'
import { checkRun, clientRuns, settingsFiles } from '../documents/clients.ts'
import { agents, endDaemon } from './agents.ts'
import { homeOf, play } from './play.ts'

const runs = clientRuns.filter(({ runBy }) => runBy === 'npm run agents')

/** Its sessions are not archived, so it has only its page. */
export const continuePackage = '@continuedev/cli@1.5.47'

/** The pages of docs/clients that are about an assistant: its settings and its command, as a reader copies them. */
export function addPageTests(server: GatewayProduct, installed: string, assistants: readonly string[]): void {
  for (const run of runs.filter(({ page }) => assistants.includes(page.replace('.md', ''))))
    test(`docs/clients/${run.page}: the settings and the command of the page get a reply and are in the usage log`, async () => {
      server.fake.reset()
      // The fake knows what we send of our own accord, not what an agent's maker thought of this week.
      server.fake.always('anthropic', { unchecked: true })
      const home = homeOf(`page-${run.page}`)
      const settings = writeSettings(run.page, home, server.url)
      const project = temporaryFolder()
      await promisify(execFile)('git', ['init', '--quiet'], { cwd: project })
      await checkRun(server, run, async (source) => {
        const environment = {
          PATH: `${installed}:${process.env['PATH']}`,
          SIGNALBOX_KEY: server.key,
          // They would ask their makers for news.
          ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
          ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
        }
        const args = ['-euc', settings + source]
        return (await play('sh', { args, environment, home, project })).output
      }).finally(() => agents.forEach((agent) => endDaemon(agent, home)))
    })
}

/** Writes the files of settings, and gives the commands that settle an assistant in. */
function writeSettings(page: string, home: string, url: string): string {
  let commands = ''
  for (const { file = '' } of blocksOf(`docs/clients/${page}`))
    if (file in settingsFiles) {
      const text = clientBlock(page, file, url)
      const place = settingsFiles[file]
      if (place === undefined) commands += text
      else writeFile(join(home, place), text)
    }
  return commands
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
