import { words } from '../completion.ts'
import { countTokens } from '../prompt.ts'
import type { FormFile, RecordedForm } from '../record.ts'
import { namedEvent } from '../sse.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import { refuse } from './fault.ts'
import { audioModels } from './models.ts'

const extensions = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']
const sizeLimit = 25 * 1024 * 1024
/** Sixteen bits, sixteen thousand samples: how long the bytes would last as plain sound. */
const bytesPerSecond = 32_000

interface Transcript {
  text: string
  seconds: number
  language: string
}

export function respondTranscription({ request, reply }: Exchange): Outgoing {
  const form = request.form ?? { fields: [], files: [] }
  const value = (name: string) => form.fields.find((field) => field.name === name)?.value
  const model = value('model') ?? ''
  const format = value('response_format') ?? 'json'
  const file = reply.unchecked === true ? form.files[0] : checkForm(form, model, format)
  const transcript: Transcript = {
    text: reply.text ?? `Transcript of ${file?.filename ?? ''}, ${file?.bytes ?? 0} bytes.`,
    seconds: Math.max(1, Math.ceil((file?.bytes ?? 0) / bytesPerSecond)),
    language: value('language') ?? 'english',
  }
  const usage = usageOf(model, transcript)
  // whisper-1 ignores `stream`.
  if (value('stream') === 'true' && model !== 'whisper-1') {
    return eventStream(events(transcript, usage))
  }
  return render(format, transcript, usage)
}

function checkForm(form: RecordedForm, model: string, format: string): FormFile {
  if (model === '') refuse('you must provide a model parameter')
  const known = audioModels.find((one) => one.id === model)
  if (known === undefined) {
    refuse(
      `The model \`${model}\` does not exist or you do not have access to it.`,
      null,
      'model_not_found',
      404,
    )
  }
  const file = form.files.find((one) => one.name === 'file')
  if (file === undefined) refuse("Missing required parameter: 'file'.", 'file', 'missing_required_parameter')
  if (!extensions.includes(file.filename.split('.').at(-1)?.toLowerCase() ?? '')) {
    refuse(`Invalid file format. Supported formats: ${JSON.stringify(extensions)}`, 'file')
  }
  if (file.bytes > sizeLimit) {
    refuse(`Maximum content size limit (${sizeLimit}) exceeded (${file.bytes} bytes read)`, 'file', null, 413)
  }
  if (file.bytes === 0) {
    refuse(
      'The audio file could not be decoded or its format is not supported.',
      'file',
      'unsupported_format',
    )
  }
  if (!known.formats.includes(format)) {
    refuse(
      `response_format '${format}' is not compatible with model '${model}'. Use ${known.formats.map((one) => `'${one}'`).join(' or ')} instead.`,
      'response_format',
      'unsupported_value',
    )
  }
  const granular = form.fields.some((field) => field.name === 'timestamp_granularities[]')
  if (granular && format !== 'verbose_json') {
    refuse("'timestamp_granularities' is only allowed with 'verbose_json'.", 'timestamp_granularities')
  }
  return file
}

function usageOf(model: string, transcript: Transcript) {
  if (model === 'whisper-1' || model === 'gpt-transcribe') {
    return { type: 'duration', seconds: transcript.seconds }
  }
  const input = transcript.seconds * 10
  const output = countTokens(transcript.text)
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { audio_tokens: input, text_tokens: 0 },
    output_tokens: output,
    total_tokens: input + output,
  }
}

function render(format: string, transcript: Transcript, usage: unknown): Outgoing {
  const { text, seconds, language } = transcript
  const plain = (body: string): Outgoing => ({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
    streamed: false,
  })
  const end = clock(seconds)
  if (format === 'text') return plain(`${text}\n`)
  if (format === 'srt') return plain(`1\n00:00:00,000 --> ${end.replace('.', ',')}\n${text}\n\n\n`)
  if (format === 'vtt') return plain(`WEBVTT\n\n00:00:00.000 --> ${end}\n${text}\n\n`)
  const segment = { id: 0, start: 0, end: seconds, text: ` ${text}` }
  if (format === 'verbose_json') {
    const details = {
      seek: 0,
      tokens: [50364],
      temperature: 0,
      avg_logprob: -0.3,
      compression_ratio: 0.9,
      no_speech_prob: 0.01,
    }
    return jsonBody(200, {
      task: 'transcribe',
      language,
      duration: seconds,
      text,
      segments: [{ ...segment, ...details }],
      usage,
    })
  }
  if (format === 'diarized_json') {
    const spoken = { ...segment, id: 'seg_0', speaker: 'A', type: 'transcript.text.segment' }
    return jsonBody(200, { task: 'transcribe', duration: seconds, text, segments: [spoken], usage })
  }
  return jsonBody(200, { text, usage })
}

function* events({ text }: Transcript, usage: unknown): Iterable<string> {
  for (const delta of words(text)) {
    yield namedEvent('transcript.text.delta', { type: 'transcript.text.delta', delta })
  }
  yield namedEvent('transcript.text.done', { type: 'transcript.text.done', text, usage })
}

function clock(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)}.000`
}
