import { noUsage } from '../../wire/chunk-writer.ts'
import type { Usage } from '../../provider.ts'
import { countOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import { decimalAt, readChatUsage } from '../../passthrough/usage.ts'

/**
 * What an answer or the last event of a stream says it used: tokens, seconds of audio, or both. Servers that tell
 * no usage may still tell the audio's duration.
 */
export function readTranscriptionUsage(answer: JsonObject, json: Buffer): Usage | null {
  const told = objectOf(answer['usage'])
  const seconds = secondsOf(told['seconds']) ?? secondsOf(answer['duration'])
  const tokens = readTokens(told) ?? readChatUsage(told)
  if (!tokens && seconds === undefined) return null
  return {
    ...(tokens ?? noUsage),
    statedCost: decimalAt(json, ['usage', 'cost']),
    units: seconds === undefined ? {} : { audio_seconds: seconds },
  }
}

function readTokens(told: JsonObject): Usage | null {
  if (typeof told['input_tokens'] !== 'number' && typeof told['output_tokens'] !== 'number') return null
  const details = objectOf(told['input_token_details'] ?? told['input_tokens_details'])
  return {
    ...noUsage,
    uncached: countOf(told['input_tokens']),
    output: countOf(told['output_tokens']),
    audioInput: countOf(details['audio_tokens']),
  }
}

/** Some servers write the duration as text. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The transcript in a whole answer of any format, to count tokens from when nothing else is told. */
export function transcriptOf(answer: unknown, body: Buffer): string {
  return isObject(answer) ? stringOf(answer['text']) : body.toString()
}
