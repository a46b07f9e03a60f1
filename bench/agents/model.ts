import type { RecordedRequest, Reply } from '#fake-provider'

/** One call of a tool; the last word of the model follows when all are made. */
export type Step = 'work' | 'leave' | 'select' | 'many rows' | 'create' | 'ask' | 'hold'

const sqlCall = (sql: string) => ({
  name: 'platform_sql_execute',
  arguments: { database: 'application', sql, reason: 'the bench' },
})

const calls: Record<Exclude<Step, 'hold'>, { name: string; arguments: unknown }> = {
  work: { name: 'work', arguments: {} },
  leave: { name: 'leave', arguments: {} },
  select: sqlCall('select count(*) from information_schema.tables'),
  'many rows': sqlCall("select n, repeat('x', 500) as filler from generate_series(1, 1000) as n"),
  create: sqlCall('create table made_by_the_bench (id int primary key)'),
  ask: { name: 'ask_person', arguments: { question: 'Which one?' } },
}

/** The steps are in the request, so that the model needs no memory of its own. */
export const requestFor = (steps: readonly Step[]): string => `steps: ${steps.join(', ')}.`

/** What the model says next: as many steps are made as the conversation has results of tools. */
export function createModel(held: () => Promise<void> = () => Promise.resolve()) {
  return async (request: RecordedRequest): Promise<Reply> => {
    const text = JSON.stringify(request.json)
    const steps = (/steps: ([a-z, ]+)\./.exec(text)?.[1]?.split(', ') ?? []) as Step[]
    const made = text.match(/"role":"tool"|"type":"function_call_output"/g)?.length ?? 0
    const step = steps[made]
    if (step === 'hold') await held()
    if (step === undefined || step === 'hold') return { text: 'Everything is done.', headersAfterMs: 20 }
    return { toolCalls: [calls[step]], headersAfterMs: 50 + Math.random() * 300 }
  }
}
