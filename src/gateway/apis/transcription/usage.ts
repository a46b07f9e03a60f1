import { noUsage } from '../../wire/chunk-writer.ts'
import type { Usage } from '../../provider.ts'
import { countOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import { decimalAt, readChatUsage } from '../../passthrough/usage.ts'

/**
 * The usage in a response or in the last event of a stream: tokens, seconds of audio, or both. Servers that report
 * no usage may still report the audio's duration.
 */
export function readTranscriptionUsage(response: JsonObject, json: Buffer): Usage | null {
  const usage = objectOf(response['usage'])
  const seconds = secondsOf(usage['seconds']) ?? secondsOf(response['duration'])
  const tokens = readTokens(usage) ?? readChatUsage(usage)
  if (!tokens && seconds === undefined) return null
  return {
    ...(tokens ?? noUsage),
    statedCost: decimalAt(json, ['usage', 'cost']),
    units: seconds === undefined ? {} : { audio_seconds: seconds },
  }
}

function readTokens(usage: JsonObject): Usage | null {
  if (typeof usage['input_tokens'] !== 'number' && typeof usage['output_tokens'] !== 'number') return null
  const details = objectOf(usage['input_token_details'] ?? usage['input_tokens_details'])
  return {
    ...noUsage,
    uncached: countOf(usage['input_tokens']),
    output: countOf(usage['output_tokens']),
    audioInput: countOf(details['audio_tokens']),
  }
}

/** Some servers write the duration as text. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The transcript in a whole response of any format, to count tokens from when no usage is reported. */
export function transcriptOf(response: unknown, body: Buffer): string {
  return isObject(response) ? stringOf(response['text']) : body.toString()
}
