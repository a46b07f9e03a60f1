import type { LineReader, MessageChange, Source, TokenCounts } from '../assistant.ts'
import { dateOf, defined, objectOf, stringOf, type JsonObject, countOf } from '../json.ts'
import { recordReader, shortHash, savedState } from '../record-reader.ts'
import { readEvent } from './events.ts'
import { readResponseItem } from './response-items.ts'
import type { RolloutState, RolloutContext } from './context.ts'

const silent = new Set(['world_state', 'security_risk_score', 'inter_agent_communication_metadata'])

export function openRollout(source: Source, saved: unknown): LineReader {
  const sessionKey = source.sessionKey ?? ''
  const state = savedState<RolloutState>(saved, {
    hasMeta: false,
    model: null,
    turn: null,
    turns: 0,
    isTurnUnderWay: false,
    firstTurnOf: {},
    hasUsageRecords: false,
    calls: {},
  })
  return recordReader(
    () => sessionKey,
    state,
    (record, changes) => {
      const at = dateOf(record['timestamp'])
      const emit = (message: Omit<MessageChange, 'order'>) =>
        changes.message(sessionKey, { ...defined({ createdAt: at }), ...message })
      readRecord({ sessionKey, state, changes, at, emit }, record)
    },
  )
}

function readRecord(context: RolloutContext, record: JsonObject): void {
  const { state, changes, sessionKey, emit } = context
  const type = stringOf(record['type']) ?? 'without type'
  const payload = objectOf(record['payload'])
  if (type === 'session_meta') readMeta(context, payload)
  else if (type === 'turn_context') {
    state.model = stringOf(payload['model']) ?? state.model
    state.turn = stringOf(payload['turn_id']) ?? state.turn
  } else if (type === 'response_item') {
    if (!isCompactionOutput(record)) readResponseItem(context, payload)
  } else if (type === 'event_msg') {
    if (payload['type'] === 'token_count') readTokenCount(context, payload)
    else readEvent(context, payload)
  } else if (type === 'token_usage_record') {
    state.hasUsageRecords = true
    // A provider may use an id twice: the turn and the thread's total tell two responses apart.
    const total = tokensOf(objectOf(payload['thread_token_usage']))
    const key = [payload['response_id'], payload['turn_id'] ?? sessionKey, total.input, total.output].join(
      '/',
    )
    changes.usage(sessionKey, key, state.model ?? undefined, tokensOf(objectOf(payload['usage'])), context.at)
  } else if (type === 'compacted') {
    const content = stringOf(payload['message']) ?? 'Conversation compacted'
    const key = `compacted:${shortHash(`${String(record['timestamp'])}${content}`)}`
    emit({ key, role: 'system', kind: 'summary', origin: 'injected', content })
  } else if (type === 'inter_agent_communication') readCommunication(context, payload)
  else if (!silent.has(type)) changes.unknown(sessionKey, `record of type ${type}`)
}

/** What the model wrote as the summary: the record of the compaction has it too. */
function isCompactionOutput({ metadata }: JsonObject): boolean {
  return metadata !== undefined && JSON.stringify(metadata).includes('compaction_output')
}

function readMeta({ state, changes, sessionKey }: RolloutContext, meta: JsonObject): void {
  if (state.hasMeta) return
  state.hasMeta = true
  const spawn = objectOf(objectOf(objectOf(meta['source'])['subagent'])['thread_spawn'])
  const nickname = stringOf(meta['agent_nickname']) ?? stringOf(spawn['agent_nickname'])
  changes.session(
    sessionKey,
    defined({
      project: stringOf(meta['cwd']),
      gitBranch: stringOf(objectOf(meta['git'])['branch']),
      version: stringOf(meta['cli_version']),
      startedAt: dateOf(meta['timestamp']),
      forkedFrom: stringOf(meta['forked_from_id']),
      parentKey: stringOf(meta['parent_thread_id']) ?? stringOf(spawn['parent_thread_id']),
      title: nickname === undefined ? undefined : { text: nickname, source: 'generated' as const },
    }),
  )
}

function readCommunication({ at, emit }: RolloutContext, payload: JsonObject): void {
  const content = stringOf(payload['content']) ?? stringOf(payload['message'])
  if (content === undefined) return
  emit({
    key: `agent:${at?.getTime() ?? 0}:${shortHash(content)}`,
    role: 'user',
    kind: 'text',
    origin: 'injected',
    content,
  })
}

function tokensOf(usage: JsonObject): TokenCounts {
  return {
    input: countOf(usage['input_tokens']),
    cached: countOf(usage['cached_input_tokens']),
    cacheWrite: countOf(usage['cache_write_input_tokens']),
    output: countOf(usage['output_tokens']),
  }
}

/** The event of older versions. It is repeated without a call: the same turn and total is the same response. */
function readTokenCount({ state, changes, sessionKey, at }: RolloutContext, payload: JsonObject): void {
  if (state.hasUsageRecords) return
  const info = objectOf(payload['info'])
  const total = tokensOf(objectOf(info['total_token_usage']))
  const key = `${state.turn ?? sessionKey}/${total.input}/${total.output}`
  const last = tokensOf(objectOf(info['last_token_usage']))
  changes.usage(sessionKey, key, state.model ?? undefined, last, at)
}
