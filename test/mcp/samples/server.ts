import { after } from 'node:test'
import { createAccess } from '#access'
import { loadConfig } from '#kernel/config'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { closeHttp, createHttp, listen } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createMcp, type Offer } from '#mcp'
import { createTestDatabase } from '#test/database'
import { giveEveryScope } from '#test/owner'
import { temporaryFolder } from '#test/product'
import { registerAskingTools, state } from './asking-tools.ts'
import { registerPrompts } from './prompts.ts'
import { registerResources } from './resources.ts'
import { registerTools } from './tools.ts'

const samples: Offer = {
  options: {
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
      completions: {},
    },
    requestState: { verify: state.verify },
  },
  register(server) {
    registerTools(server)
    registerAskingTools(server)
    registerResources(server)
    registerPrompts(server)
  },
}

/** People, HTTP and MCP of the product, without the rest; the samples of the suite are there in place of the tools. */
export async function startSampleServer(): Promise<{ url: string; key: string }> {
  const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryFolder() })
  let stop = async (): Promise<void> => undefined
  after(() => stop())
  const target = await createTestDatabase()
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(target, log)
  const version = '1.0.0'
  const access = createAccess({ database, config, events: createEvents(log), log, version })
  const first = await access.firstStart()
  await giveEveryScope(target, first)
  const http = await createHttp({
    ...{ config, log, version },
    metrics: createMetrics(),
    resolvers: access.resolvers,
  })
  access.routes(http)
  createMcp({ config, version, loadOffer: async () => samples }).routes(http)
  await access.start()
  const url = await listen(http, config)
  stop = async () => {
    await closeHttp(http, { timeoutMs: 1_000 })
    await access.stop()
    await database.close()
  }
  return { url, key: first.firstKey?.reveal() ?? '' }
}
