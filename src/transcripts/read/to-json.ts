import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { ModelCost, TranscriptMessage, TranscriptSession } from '../contract.ts'
import { kinds, origins, roles } from '../derive/index.ts'
import type { MessagePageRow } from '../store/page-store.ts'
import type { RelatedRow, SessionRow } from '../store/read-store.ts'
import { titleFromPrompt } from '../summary/plain.ts'
import { messageId } from './message-id.ts'

export function sessionJson(row: SessionRow, costs: readonly ModelCost[] | undefined): TranscriptSession {
  const models = Object.entries(row.models).toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
  const wall = row.started_at && row.ended_at ? row.ended_at.getTime() - row.started_at.getTime() : 0
  return {
    id: row.id,
    external_id: row.external_id,
    assistant: row.assistant,
    machine: row.machine,
    project: row.project,
    git_branch: row.git_branch,
    model: models[0]?.[0] ?? null,
    models: models.map(([model]) => model),
    title: row.title ?? titleFromPrompt(row.first_prompt),
    summary: row.summary,
    message_count: row.message_count,
    tool_call_count: row.tool_call_count,
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    duration_seconds: Math.round(row.duration_seconds * 1_000) / 1_000,
    wall_seconds: wall / 1_000,
    input_tokens: row.input_tokens,
    cached_tokens: row.cached_tokens,
    cache_write_tokens: row.cache_write_tokens,
    output_tokens: row.output_tokens,
    files_edited: row.files_edited,
    parent_id: row.parent_id,
    parent_call_id: row.parent_call_id,
    forked_from: row.fork_id,
    cost: totalCost(costs),
    version: row.version,
    source_missing: row.source_missing,
    unknown_records: row.unknown_records,
    subagent_count: row.subagent_count,
  }
}

/** Null when no request is known, or none had a price. */
function totalCost(costs: readonly ModelCost[] | undefined): string | null {
  const known = (costs ?? []).flatMap(({ cost }) => (cost === null ? [] : [cost]))
  if (known.length === 0) return null
  return writeDecimal(known.map(decimal).reduce(add))
}

export function relatedJson(row: RelatedRow) {
  return {
    id: row.id,
    title: row.title ?? titleFromPrompt(row.first_prompt),
    parent_call_id: row.parent_call_id,
    message_count: row.message_count,
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

/** Messages whose place no line has said come last. */
const lastPlace = Number.MAX_SAFE_INTEGER

export function messageJson(
  row: MessagePageRow,
  sessionId: string,
  subagents: ReadonlyMap<string, string>,
): TranscriptMessage {
  const kind = kinds[row.kind] ?? 'text'
  return {
    id: messageId(sessionId, row.key),
    parent_id: row.parent_key === null ? null : messageId(sessionId, row.parent_key),
    order: Number.isFinite(row.place) ? row.place : lastPlace,
    role: roles[row.role] ?? 'system',
    kind,
    origin: origins[row.origin ?? 0] ?? null,
    content: row.content,
    cut: row.is_cut,
    tool_name: row.tool_name,
    tool_input: row.tool_input === null ? null : parsed(row.tool_input),
    call_id: row.call_id,
    subagent_id: kind === 'tool_call' && row.call_id !== null ? (subagents.get(row.call_id) ?? null) : null,
    is_error: row.is_error === true,
    is_sidechain: row.is_sidechain === true,
    is_copied: row.is_copied,
    model: row.model,
    image:
      row.image === null || row.image_bytes === null
        ? null
        : {
            url: `/api/transcripts/${sessionId}/images/${row.image}`,
            mime: row.image_mime,
            bytes: row.image_bytes,
          },
    created_at: row.created_at?.toISOString() ?? null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a person types to continue the session on their machine. */
export function resumeCommand({
  assistant,
  external_id: id,
  parent_id,
}: Pick<SessionRow, 'assistant' | 'external_id' | 'parent_id'>): string | null {
  if (parent_id !== null || !/^[\w-]+$/.test(id)) return null
  const commands: Partial<Record<SessionRow['assistant'], string>> = {
    'claude-code': `claude --resume ${id}`,
    codex: `codex resume ${id}`,
    opencode: `opencode --session ${id}`,
    gemini: `gemini --resume ${id}`,
    qwen: `qwen --resume ${id}`,
    copilot: `copilot --resume ${id}`,
    pi: `pi --session ${id}`,
  }
  return commands[assistant] ?? null
}
