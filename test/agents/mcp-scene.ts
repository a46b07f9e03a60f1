import type { RecordedRequest, Reply } from '../fake-provider/index.ts'
import { namesIn } from './scenes.ts'

export const mcpQuestion = 'Use the tools of Signalbox to empty the orders, and tell me what came of it.'
export const mcpConclusion = 'The table of orders is empty.'

interface Step {
  /** What only the result of the call has; JSON in it may be escaped several times. */
  proof: RegExp
  tool?: string
  input: Record<string, unknown>
}

const statement = (sql: string, more: object = {}) => ({
  database: 'application',
  sql,
  reason: 'The user asked for it',
  ...more,
})
const field = (name: string, value: string) => new RegExp(`${name}\\\\*":\\s*\\\\*"${value}\\\\*"`)
const pendingId = field('approval_id', '([0-9a-f-]{36})')
const isPending = field('status', 'pending')
const searched = 'select:mcp__signalbox__platform_sql_execute,mcp__signalbox__platform_sql_approval'

/** A query, a refusal, a statement that waits for approval, and the proof of what it did. */
const steps = (approval_id: string | undefined): Step[] => [
  { proof: /MARK-42/, input: statement("select concat('MARK-', 40 + 2) as mark") },
  { proof: /policy_violation: /, input: statement('create role intruder') },
  { proof: field('status', 'pending_approval'), input: statement('truncate orders') },
  { proof: field('status', 'approved'), tool: 'platform_sql_approval', input: { approval_id } },
  {
    proof: /executed\\*",\s*\\*"operations\\*":\s*\[\s*\\*"TRUNCATE/,
    input: statement('truncate orders', { approval_id }),
  },
  { proof: /LEFT-0/, input: statement("select concat('LEFT-', count(*)) as found from orders") },
]

/** A model that goes through the steps; `approve` is called when it has seen that the statement waits. */
export async function replyWithSteps(
  request: RecordedRequest,
  approve: (id: string) => Promise<void>,
): Promise<Reply> {
  const text = request.body.toString()
  if (!text.includes(mcpQuestion)) return { text: 'A title' }
  const approvalId = pendingId.exec(text)?.[1]
  const step = steps(approvalId).find(({ proof }) => !proof.test(text))
  if (!step) return { text: mcpConclusion }
  if (step.tool !== undefined && approvalId !== undefined && isPending.test(text)) await approve(approvalId)
  const wanted = step.tool ?? 'platform_sql_execute'
  const offered = namesIn(request.json)
  const name = offered.find((each) => each.endsWith(wanted))
  if (name !== undefined) return { text: 'I will.', toolCalls: [{ name, arguments: step.input }] }
  // Claude Code shows a model the tools of a server when it has looked for them.
  const isHidden = offered.includes('ToolSearch') && !text.includes(searched)
  if (isHidden)
    return { text: 'I look.', toolCalls: [{ name: 'ToolSearch', arguments: { query: searched } }] }
  return { text: `There is no tool ${wanted} among ${offered.join(', ')}.` }
}
