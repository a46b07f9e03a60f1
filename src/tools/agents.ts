import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { agentId, maxRequest, runStatuses } from '#agents/contract'
import type { PlatformResponse } from './platform.ts'
import { defineTool, type Following, type Tool } from './tool.ts'

const scope = 'agents'
const [usualSeconds, maxSeconds] = [50, 600]

const ran = z.looseObject({
  run_id: z.string(),
  status: z.enum(runStatuses).describe('`queued` and `running`: ask platform_agent_run again later.'),
  response: z.string().nullable().describe('What the agent said last.'),
  link: z.string().describe('Where a person sees the run, and answers it.'),
})

const waits =
  'While the status is `waiting`, a person must decide: show the `link` of `waiting_for`, or the `link` of the run, and ask `platform_agent_run` later.'

export const agentTools: readonly Tool[] = [
  defineTool({
    name: 'ask_agent',
    title: 'Ask an agent',
    description: `Lets an agent of the platform do something, such as \`data-engineer\` a change of a schema or a validation of data. Returns when its run ended or waits, or after wait_seconds. ${waits}`,
    scope,
    input: z.strictObject({
      agent_id: agentId.describe('The agent, such as data-engineer.'),
      request: z.string().max(maxRequest).trim().min(1).describe('What it is to do, in plain words.'),
      wait_seconds: z
        .int()
        .min(0)
        .max(maxSeconds)
        .default(usualSeconds)
        .describe('How long to wait for the end of the run. It goes on after that.'),
    }),
    output: ran,
    isReader: false,
    request: ({ agent_id: id, request }) => ({
      method: 'POST',
      path: `/api/agents/${id}/ask`,
      body: { request, async: true },
    }),
    follow: (began, { wait_seconds: seconds }, following) => untilSettled(began, seconds, following),
  }),
  defineTool({
    name: 'platform_agent_run',
    title: 'See a run of an agent',
    description: `The state of a run that ask_agent began, with its response. ${waits}`,
    scope,
    input: z.strictObject({ run_id: z.uuid().describe('From the result of ask_agent.') }),
    output: ran,
    isReader: true,
    request: ({ run_id: id }) => ({ method: 'GET', path: `/api/agent-runs/${id}` }),
  }),
]

const run = z.looseObject({
  run_id: z.string(),
  status: z.string(),
  steps: z.number(),
  tool_calls: z.array(z.looseObject({ name: z.string(), status: z.string() })),
})

const pollMs = 500

/** A run goes on when nobody waits for it. */
async function untilSettled(
  began: PlatformResponse,
  seconds: number,
  { platform, signal, report }: Following,
): Promise<PlatformResponse> {
  const until = Date.now() + seconds * 1_000
  let [latest, reported] = [began, '']
  while (true) {
    const { data } = run.safeParse(latest.body)
    if (!data || (data.status !== 'queued' && data.status !== 'running')) return latest
    const last = data.tool_calls.at(-1)
    const now = `${data.status}, step ${data.steps}${last ? `: ${last.name} ${last.status}` : ''}`
    if (now !== reported) await report((reported = now))
    if (Date.now() >= until || signal.aborted) return latest
    await pause(pollMs, undefined, { signal }).catch(() => undefined)
    latest = await platform.call({ method: 'GET', path: `/api/agent-runs/${data.run_id}`, signal })
  }
}
