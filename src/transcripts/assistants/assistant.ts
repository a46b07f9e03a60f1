export const assistantIds = [
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'copilot',
  'pi',
  'cline',
] as const
export type AssistantId = (typeof assistantIds)[number]

/** One assistant's files: how they are found and what their lines mean. */
export interface Assistant {
  readonly id: AssistantId
  /** Raised when the meaning of lines changes: sessions are then derived again from the kept lines. */
  readonly version: number
  /** Its folders below a home folder, whether they exist or not. */
  roots(home: string): string[]
  /** Whether the folder has the layout of this assistant's root. */
  isRoot(folder: string): Promise<boolean>
  /** The folders below the root, with `/`, that hold transcripts: no others are looked into. */
  readonly folders: readonly string[]
  /** How a file below the root (path with `/`) is read and which session it belongs to; null: not a transcript. */
  source(relativePath: string): Source | null
  /** The session whose source gained something when this file or folder changed, which is no source itself. */
  changedSession?(relativePath: string): string | null
  /** Whether a line that begins so says nothing that is kept: most bytes of some files are in such lines. */
  isBulk?(beginning: string): boolean
  /** A reader of one source's lines. `state` is what an earlier reader returned, null at the start. */
  open(source: Source, state: unknown): LineReader
  /** Of a database source: the rows changed since the cursor of an earlier snapshot, at most `rows` of each table. */
  snapshot?(file: string, cursor: unknown, rows?: number): Snapshot
}

/**
 * lines: JSONL that only grows. document: a file rewritten whole, sent as one line per change (JSON on one line;
 * any other text as a JSON string). database: rows that `snapshot` returns as lines, of one file or of several of
 * which this one is the first.
 */
export type SourceForm = 'lines' | 'document' | 'database'

export interface Source {
  form: SourceForm
  /** Null when a source holds several sessions, or its first line names the session. */
  sessionKey: string | null
  role: 'session' | 'subagent' | 'side-file'
  /** Lines that the assistant has packed with zstd; such a file does not grow. */
  isCompressed?: boolean
  /** Of a subagent's file: the session that started it, where the path says so. */
  parentKey?: string
  /** What the reader needs of the path, such as the name of a side file. */
  name?: string
}

export interface Snapshot {
  lines: string[]
  cursor: unknown
  /** More rows are waiting: call again with the cursor. */
  hasMore: boolean
}

export interface LineReader {
  /**
   * What one raw line changes. Never throws: a line it cannot read is a change of kind `unknown`. `position` grows from
   * line to line; the messages are ordered by it unless the file says better.
   */
  read(line: string, position: number): Change[]
  /** JSON of bounded size from which a later reader continues. */
  state(): unknown
}

export type Change =
  | { kind: 'session'; sessionKey: string; patch: SessionPatch }
  | { kind: 'message'; sessionKey: string; message: MessageChange }
  /** Counted once per key within an assistant; of two counts with one key the larger output wins. */
  | {
      kind: 'usage'
      sessionKey: string
      key: string
      model: string | null
      tokens: TokenCounts
      at: Date | null
    }
  | { kind: 'files_edited'; sessionKey: string; paths: string[] }
  | { kind: 'link'; sessionKey: string; target: 'pull_request'; value: string }
  /** Kept raw, counted and shown as a record that the parser does not know. */
  | { kind: 'unknown'; sessionKey: string | null; reason: string }

/** The weakest first. A title replaces one of the same or a weaker source. */
export const titleSources = ['prompt', 'summary', 'generated', 'command', 'name', 'custom'] as const
export type TitleSource = (typeof titleSources)[number]

/** Absent fields keep their value. */
export interface SessionPatch {
  project?: string
  gitBranch?: string
  title?: { text: string; source: TitleSource }
  /** The version of the assistant. */
  version?: string
  /** Session key of the session that started this subagent, and the tool call that did. */
  parentKey?: string
  parentCallKey?: string
  /** Session key of the original. */
  forkedFrom?: string
  /** The earliest start and the latest end count; messages may lie outside. */
  startedAt?: Date
  endedAt?: Date
}

export type MessageRole = 'user' | 'assistant' | 'tool' | 'system'
export type MessageKind = 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'image' | 'summary'
export type MessageOrigin = 'human' | 'injected'

/** One block. The same key in a session again merges: absent fields keep their value, `order` and `createdAt` too. */
export interface MessageChange {
  key: string
  role: MessageRole
  kind: MessageKind
  /** Of user and system messages. */
  origin?: MessageOrigin
  content?: string
  /** The content is a part of the whole: it never replaces content that is not partial. */
  isPartial?: boolean
  /** Of an image: its type and the string of the line, which is base64 or what ingest put in its place. */
  image?: { mime: string | null; data: string }
  toolName?: string
  toolInput?: unknown
  /** Joins a tool result with its call. */
  toolCallKey?: string
  isError?: boolean
  isSidechain?: boolean
  model?: string
  createdAt?: Date
  parentKey?: string
  /** Ascending in the order of the session; the first one of a key stays. A side file does not know it. */
  order?: number
}

/** As in the usage log: `input` includes cached tokens and cache writes, `output` includes reasoning. */
export interface TokenCounts {
  input: number
  cached: number
  cacheWrite: number
  output: number
}
