import {
  titleSources,
  type Assistant,
  type Change,
  type Source,
} from '../../src/transcripts/assistants/index.ts'
import type { MessageChange, SessionPatch, TokenCounts } from '../../src/transcripts/assistants/index.ts'

type Row = Record<string, unknown>

/** What changes amount to, by the rules of the interface. */
export class Derived {
  readonly sessions = new Map<string, Row>()
  readonly messages = new Map<string, Map<string, MessageChange>>()
  readonly usage = new Map<string, TokenCounts>()
  readonly files = new Set<string>()
  unknown = 0

  apply(change: Change): void {
    if (change.kind === 'session') this.#patch(change.sessionKey, change.patch)
    else if (change.kind === 'message') this.#merge(change.sessionKey, change.message)
    else if (change.kind === 'usage') {
      const known = this.usage.get(change.key)
      if (known === undefined || change.tokens.output > known.output)
        this.usage.set(change.key, change.tokens)
    } else if (change.kind === 'files_edited') for (const path of change.paths) this.files.add(path)
    else if (change.kind === 'unknown') this.unknown++
  }

  #patch(key: string, { title, ...patch }: SessionPatch): void {
    const row = this.sessions.get(key) ?? {}
    const rank = (source: unknown) => titleSources.findIndex((each) => each === source)
    if (title !== undefined && rank(title.source) >= rank(row['titleSource']))
      Object.assign(row, { title: title.text, titleSource: title.source })
    const starts = [row['startedAt'], patch.startedAt].filter((each) => each instanceof Date)
    this.sessions.set(key, {
      ...row,
      ...patch,
      ...(starts[0] === undefined ? {} : { startedAt: starts.toSorted((a, b) => Number(a) - Number(b))[0] }),
    })
  }

  #merge(key: string, message: MessageChange): void {
    const rows = this.messages.get(key) ?? new Map<string, MessageChange>()
    this.messages.set(key, rows)
    const known = rows.get(message.key)
    const { content, ...rest } = message
    const keeps = known?.content !== undefined && known.isPartial !== true && message.isPartial === true
    const merged = { ...known, ...rest, ...(content === undefined || keeps ? {} : { content }) }
    if (known !== undefined && message.isPartial !== true && content !== undefined) delete merged.isPartial
    const { order, createdAt } = { ...rest, ...known }
    rows.set(message.key, {
      ...merged,
      ...(order === undefined ? {} : { order }),
      ...(createdAt === undefined ? {} : { createdAt }),
    })
  }

  lines(session: string): string[] {
    return [...(this.messages.get(session)?.values() ?? [])]
      .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map((message) =>
        [
          message.role,
          message.kind,
          message.origin,
          message.toolName,
          message.isError === true ? 'failed' : undefined,
          message.content ?? message.image?.mime,
        ]
          .filter((part) => part !== undefined && part !== null)
          .join(' '),
      )
  }

  tokens(): [number, number, number, number] {
    const sum: [number, number, number, number] = [0, 0, 0, 0]
    for (const { input, cached, cacheWrite, output } of this.usage.values())
      [input, cached, cacheWrite, output].forEach((count, index) => (sum[index as 0] += count))
    return sum
  }
}

/** Reads lines of one source; `reopens` says before which line the reader is replaced by one with its saved state. */
export function readLines(
  assistant: Assistant,
  source: Source,
  lines: string[],
  into: Derived,
  reopens: (line: number) => boolean = () => false,
): void {
  let reader = assistant.open(source, null)
  lines.forEach((line, index) => {
    if (reopens(index)) reader = assistant.open(source, JSON.parse(JSON.stringify(reader.state())))
    for (const change of reader.read(line, index)) into.apply(change)
  })
}
