/** The model of the Demo provider: pure functions from a request of Chat Completions to what it says. */

export const demoModels = ['demo-large', 'demo-medium', 'demo-small'] as const
/** Listed, but always out of capacity. */
export const previewModel = 'demo-preview'
/** Of demo-small, in tokens; the others take everything. */
const smallContext = 16_000

interface Message {
  role: string
  content?: unknown
}
export interface ChatRequest {
  model: string
  messages: Message[]
  tools?: { function: { name: string } }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}
export interface Said {
  text: string
  tools?: { name: string; arguments: object }[]
}
export interface Refusal {
  status: number
  code: string
  message: string
}

export const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / 4)

export function refusalOf({ model, messages }: ChatRequest): Refusal | undefined {
  if (model === previewModel)
    return { status: 503, code: 'overloaded', message: 'demo-preview has no capacity at the moment.' }
  if (!demoModels.some((known) => known === model))
    return { status: 404, code: 'model_not_found', message: `The Demo provider has no model ${model}.` }
  const tokens = tokensOf(messages)
  if (model === 'demo-small' && tokens > smallContext)
    return {
      status: 400,
      code: 'context_length_exceeded',
      message: `demo-small takes ${smallContext} tokens; this request has ${tokens}.`,
    }
  return undefined
}

export function answer({ messages, tools = [] }: ChatRequest): Said {
  const names = tools.map((tool) => tool.function.name)
  const last = messages.at(-1)
  const asked = textOf(messages.findLast((message) => message.role === 'user'))
  if (names.includes('propose_decision')) return inStandup(last, asked)
  if (names.includes('ask_person')) return inRun(last, asked, names)
  return inWords(asked)
}

function textOf(message: Message | undefined): string {
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? '')
}

const sqlTool = 'platform_sql_execute'
const statements: { when: RegExp; sql: string; reason: string }[] = [
  {
    when: /abandoned|delete|remove/i,
    sql: "delete from carts where updated_at < now() - interval '90 days'",
    reason: 'Carts that nobody touched for 90 days are not needed any more',
  },
  {
    when: /./,
    sql: 'select status, count(*) as orders, sum(total) as revenue from orders group by status order by status',
    reason: 'Orders and revenue by status',
  },
]

function inRun(last: Message | undefined, asked: string, names: string[]): Said {
  if (last?.role === 'tool')
    return {
      text: 'Done. The statement ran, and its result is above.\n\n- Nothing else was changed.\n- The audit log has the statement and who approved it.',
    }
  if (/which|address/i.test(asked))
    return {
      text: '',
      tools: [
        {
          name: 'ask_person',
          arguments: {
            question: 'Customers without an order: those of the last year, or all of them? 212 are older.',
          },
        },
      ],
    }
  const chosen = statements.find(({ when }) => when.test(asked))
  if (!names.includes(sqlTool) || !chosen)
    return { text: 'I can read and change the database shop, and I need the tool for SQL for that.' }
  return {
    text: 'I look at the table first and then run one statement.',
    tools: [{ name: sqlTool, arguments: { database: 'shop', sql: chosen.sql, reason: chosen.reason } }],
  }
}

const proposal = {
  title: 'Send receipts from a queue',
  context: 'Receipts are late whenever the mail server is slow.',
  options: ['Send them from a queue', 'Send them in the request, with a timeout'],
  decision: 'Receipts are sent from a queue with three retries.',
  rationale: 'A slow mail server then delays no order.',
  consequences: 'A receipt may arrive some minutes after the order.',
}

function inStandup(last: Message | undefined, asked: string): Said {
  if (last?.role === 'tool')
    return {
      text: 'I put the decision at the side. Accept it, change it or reject it; nothing is saved before that.',
    }
  if (/queue|decide|decision/i.test(asked.slice(-400)))
    return {
      text: 'Then I write it down as a decision.',
      tools: [{ name: 'propose_decision', arguments: proposal }],
    }
  return {
    text: 'Since the last stand-up one deployment of checkout failed and was repaired within the hour. The mail service is down at the moment.\n\nShould receipts be sent from a queue, so that a slow mail server delays no order?',
  }
}

const answers: { when: RegExp; text: string }[] = [
  {
    when: /summar/i,
    text: 'The team looked at the failed deployment of checkout and decided how receipts are sent from now on.',
  },
  {
    when: /product text|description/i,
    text: 'A warm wool blanket, woven in one piece. It is 130 by 180 cm, can be washed at 30 degrees and comes in four colours.',
  },
  {
    when: /review|diff/i,
    text: 'The change is small and covered by a test. One question: the total is rounded twice, once per line and once at the end. Is that wanted?',
  },
  {
    when: /refund|customer/i,
    text: 'Thank you for writing. Your refund is on its way and arrives within five working days.',
  },
]

function inWords(asked: string): Said {
  const known = answers.find(({ when }) => when.test(asked.slice(0, 4_000)))
  return {
    text:
      known?.text ??
      'This is the Demo provider: it runs on this machine, has no model behind it and answers every question with this text.',
  }
}
