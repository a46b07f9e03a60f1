import { createHash } from 'node:crypto'
import { eachOf, type Filling } from '../filling.ts'
import { storyBranch, storyPullRequest } from './story.ts'
import { issueUrl, storyNumber, type Ticket } from './work.ts'

/** A session of a coding assistant; `key` is what its requests to the gateway carry. */
export interface Session {
  key: string
  title: string
  person: string
  daysAgo: number
}

/** Ids that are the same in every demo. */
const idOf = (name: string): string => {
  const hex = createHash('sha256').update(`demo ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A session for every ticket that was worked on, as a watcher would send its file. */
export async function addSessions(filling: Filling, tickets: readonly Ticket[]): Promise<Session[]> {
  const worked = tickets.filter(({ isDone, number }) => isDone || number % 2 === 0)
  const sessions = worked.map((ticket) => ({
    ...ticket,
    key: idOf(`session ${ticket.number}`),
    daysAgo: daysAgoOf(ticket),
  }))
  await eachOf(sessions, 4, (session) => send(filling, session, linesOf(filling, session)))
  return sessions
}

/** Work began the day after the ticket; of the newest two it is of today. */
const daysAgoOf = ({ number, daysAgo }: Ticket): number =>
  number === storyNumber ? 2 : Math.max(0, daysAgo - 1)

type Work = Ticket & { key: string }

async function send({ call }: Filling, { key, person, service }: Work, records: object[]): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record))
  await call('/api/transcripts/ingest', {
    json: {
      ...{
        machine: `${person.toLowerCase()}-laptop-demo`,
        assistant: 'claude-code',
        generation: 0,
        identity: null,
      },
      ...{ root: '/home/demo/.claude', path: `projects/-home-demo-${service}/${key}.jsonl` },
      ...{ from: 0, to: Buffer.byteLength(`${lines.join('\n')}\n`), lines },
    },
  })
}

function linesOf({ ago, random }: Filling, { key, number, title, slug, service, daysAgo }: Work): object[] {
  const isStory = number === storyNumber
  const branch = isStory ? storyBranch : `feature/${number}-${slug}`
  const start = Date.parse(ago(daysAgo, 9 + (number % 6), number % 50))
  let records = 0
  const record = (type: string, fields: object): object => {
    records += 1
    return {
      ...{
        type,
        uuid: idOf(`${key} ${records}`),
        sessionId: key,
        cwd: `/home/demo/${service}`,
        gitBranch: branch,
      },
      ...{
        version: '2.1.325',
        isSidechain: false,
        timestamp: new Date(start + records * 47_000).toISOString(),
      },
      ...fields,
    }
  }
  const user = (content: unknown): object => record('user', { message: { role: 'user', content } })
  const says = (...content: object[]): object =>
    record('assistant', {
      message: {
        ...{
          id: `msg_demo_${number}_${records}`,
          model: random.pick(['demo-large', 'demo-medium'] as const),
        },
        ...{ role: 'assistant', content },
        usage: { input_tokens: random.whole(2_000, 30_000), output_tokens: random.whole(200, 2_400) },
      },
    })
  const file = `src/${slug}.ts`
  const edit = { type: 'tool_use', id: `edit-${number}`, name: 'Edit', input: { file_path: file } }
  const test = {
    type: 'tool_use',
    id: `test-${number}`,
    name: 'Bash',
    input: { command: `npm test -- ${slug}` },
  }
  const result = (id: string, content: string): object =>
    user([{ type: 'tool_result', tool_use_id: id, content }])
  return [
    user(`${title}. The issue is ${issueUrl(number)}.`),
    says({ type: 'text', text: `I read the code of ${service} and write a test that shows it.` }, edit),
    result(edit.id, `Updated ${file}.`),
    says({ type: 'text', text: 'Now the tests.' }, test),
    result(test.id, 'ok 12 tests, 0 failures'),
    user('Good. Is there another place with the same mistake?'),
    says({
      type: 'text',
      text: `One more, in the same file. It is changed, and the tests of ${service} pass.`,
    }),
    { type: 'ai-title', aiTitle: title, sessionId: key },
    ...(isStory ? [{ type: 'pr-link', prUrl: storyPullRequest, sessionId: key }] : []),
  ]
}
