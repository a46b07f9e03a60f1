import { join } from 'node:path'
import { start, type Started } from './processes.ts'
import { chunkText, type Scenario } from './scenarios.ts'

export interface FakeUpstream {
  url: string
  baseUrls: Record<string, string>
  /** Begins again, on the same port, when the scenario needs other responses. */
  prepareFor(scenario: Scenario): Promise<void>
  stop(): Promise<void>
}

const entry = join(import.meta.dirname, '../../test/fake-provider/main.ts')

type Responses = Pick<Scenario, 'chunks' | 'everyMs'>

/** The fake provider with prepared responses, so that it is never what is measured. */
export async function startUpstream(first: Responses): Promise<FakeUpstream> {
  let given = first
  let running = await begin(given, '0')
  const { url, baseUrls } = JSON.parse(running.output) as Pick<FakeUpstream, 'url' | 'baseUrls'>
  return {
    url,
    baseUrls,
    async prepareFor(scenario) {
      if (scenario.chunks === given.chunks && scenario.everyMs === given.everyMs) return
      given = scenario
      await running.stop()
      running = await begin(given, new URL(url).port)
    },
    stop: () => running.stop(),
  }
}

function begin({ chunks, everyMs = 0 }: Responses, port: string): Promise<Started> {
  const responses = ['--chunks', String(chunks), '--chunk-every-ms', String(everyMs), '--text', chunkText]
  return start({ args: [entry, '--fast', '--port', port, ...responses], ready: /"url".*\n/ })
}
