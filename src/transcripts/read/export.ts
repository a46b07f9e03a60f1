import type pg from 'pg'
import type { TranscriptDetail, TranscriptMessage } from '../contract.ts'
import { maskSecrets } from '../mask/index.ts'
import type { SessionRow } from '../store/read-store.ts'
import { pageOf } from './message-page.ts'

const perPage = 500

export interface ExportOptions {
  format: 'markdown' | 'json'
  /** Leaves out what people and tools said, except the words of the conversation, and masks what looks like a key. */
  redact: boolean
}

/** A session as a file, page by page. */
export async function* exportSession(
  pool: pg.Pool,
  session: SessionRow,
  detail: TranscriptDetail,
  { format, redact }: ExportOptions,
): AsyncGenerator<string> {
  const masked = (text: string): string => (redact ? maskSecrets(text) : text)
  const shown = redact ? redacted(detail) : detail
  yield format === 'json' ? masked(jsonHead(shown)) : masked(markdownHead(shown))
  let isFirst = true
  for (let cursor: string | undefined; ;) {
    const page = await pageOf(pool, session, detail.subagents, { limit: perPage, order: 'asc', cursor })
    for (const message of page.messages) {
      const each = redact ? withoutDetails(message) : message
      if (format === 'json') yield `${isFirst ? '' : ','}\n${masked(JSON.stringify(each))}`
      else yield masked(markdownOf(each))
      isFirst = false
    }
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  if (format === 'json') yield '\n]}\n'
}

/** Where on the machine it happened stays inside. */
function redacted(detail: TranscriptDetail): TranscriptDetail {
  const name = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
  return {
    ...detail,
    machine: '[removed]',
    project: detail.project === null ? null : name(detail.project),
    files_edited: detail.files_edited.map(name),
    resume_command: null,
  }
}

/** Outputs of tools hold what nobody looked at before sharing it. */
function withoutDetails(message: TranscriptMessage): TranscriptMessage {
  if (message.kind === 'tool_result' && message.content !== null)
    return { ...message, content: `[removed: ${message.content.length} characters]` }
  return { ...message, image: null }
}

function jsonHead(detail: TranscriptDetail): string {
  return `{"session":${JSON.stringify(detail)},"messages":[`
}

function markdownHead(detail: TranscriptDetail): string {
  const facts = [
    ['Assistant', detail.assistant],
    ['Project', detail.project],
    ['Branch', detail.git_branch],
    ['Models', detail.models.join(', ') || null],
    ['Started', detail.started_at],
    ['Ended', detail.ended_at],
    ['Messages', String(detail.message_count)],
    ['Cost', detail.cost === null ? null : `$${detail.cost}`],
  ].filter(([, value]) => value !== null)
  const list = facts.map(([name, value]) => `- ${name}: ${value}`).join('\n')
  const summary = detail.summary === null ? '' : `\n${detail.summary}\n`
  return `# ${oneLine(detail.title ?? 'Session')}\n\n${list}\n${summary}`
}

function markdownOf(message: TranscriptMessage): string {
  const { kind, content } = message
  const at = message.created_at === null ? '' : ` · ${message.created_at}`
  const body = content ?? ''
  if (kind === 'thinking')
    return `\n<details><summary>Thinking</summary>\n\n${body.replaceAll('</details>', '')}\n\n</details>\n`
  if (kind === 'tool_call')
    return `\n**${oneLine(message.tool_name ?? 'Tool')}**${at}\n\n${fenced(JSON.stringify(message.tool_input, null, 2), 'json')}`
  if (kind === 'tool_result') return `\n${message.is_error ? 'Failed:\n\n' : ''}${fenced(body)}`
  if (kind === 'image') return `\n[image: ${message.image?.mime ?? 'not included'}]\n`
  if (kind === 'summary') return `\n---\n\n${body}\n\n---\n`
  const who = message.role === 'user' ? 'User' : message.role === 'assistant' ? 'Assistant' : 'System'
  return `\n## ${who}${message.origin === 'injected' ? ' (injected)' : ''}${at}\n\n${body}\n`
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}\n`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
