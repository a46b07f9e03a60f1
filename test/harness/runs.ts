import { after } from 'node:test'
import { startFakeProvider, type FakeProvider, type Reply } from '#fake-provider'
import type { Ask } from './people.ts'
import { waitFor } from './wait.ts'
import { startSql, type SqlProduct } from '../../src/sql/testing-sql.ts'
import type { Run } from '#agents/contract'

export interface RunProduct extends SqlProduct {
  fake: FakeProvider
  /** What the model says next, one entry per call of it. */
  script(...replies: Reply[]): void
  agent(id: string, config?: object, model?: string): Promise<void>
  ask(id: string, more?: object, by?: Ask): Promise<Run>
  run(id: string): Promise<Run>
  /** The run once it has this status. */
  until(id: string, status: Run['status']): Promise<Run>
}

export const sqlPolicy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT', 'INSERT'],
  requires_approval: ['DELETE', 'CREATE', 'DROP'],
  environment: 'dev',
}

/** A statement as the model asks for it. */
export const sqlCall = (sql: string, id?: string) => ({
  name: 'platform_sql_execute',
  arguments: { database: 'application', sql, reason: 'a test' },
  ...(id !== undefined && { id }),
})

export const platform = { platform: { command: 'signalbox', args: ['mcp'] } }

/** The whole product with a scripted model behind it. */
export async function startRuns(environment: Record<string, string> = {}): Promise<RunProduct> {
  const fake = await startFakeProvider()
  after(() => fake.close())
  const product = await startSql({
    ...fake.baseUrls,
    OPENAI_API_KEY: 'sk-openai-of-the-tests',
    ANTHROPIC_API_KEY: 'sk-ant-of-the-tests',
    GEMINI_API_KEY: 'gemini-of-the-tests',
    ...environment,
  })
  const run = async (id: string): Promise<Run> => (await product.call(`/api/agent-runs/${id}`)).json
  return {
    ...product,
    fake,
    script(...replies) {
      for (const reply of replies) fake.script('openai', reply)
    },
    async agent(id, config = {}, model = 'gpt-6-sol') {
      const { status, text } = await product.call('/api/agents', { json: { id, name: id, model, config } })
      if (status !== 201) throw new Error(text)
    },
    async ask(id, more = {}, by = product.call) {
      const answer = await by(`/api/agents/${id}/ask`, { json: { request: 'Do it.', ...more } })
      if (answer.status > 202) throw new Error(answer.text)
      return answer.json
    },
    run,
    until: (id, status) =>
      waitFor(`run ${status}`, async () => {
        const found = await run(id)
        return found.status === status && found
      }),
  }
}
