import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'
import { errorBody, passedErrors, providerErrors } from './streams.ts'

const form = z
  .looseObject({
    model: z
      .string()
      .min(1)
      .meta({ description: 'The model. Send it before the file: then nothing is stored.' }),
    file: z.string().meta({ format: 'binary', description: 'The audio, up to 512 MiB.' }),
    language: z.string().optional().meta({ description: 'The language of the audio, such as `en`.' }),
    prompt: z.string().optional().meta({ description: 'Text that guides spelling and style.' }),
    response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
    temperature: z.string().optional(),
    'timestamp_granularities[]': z.array(z.enum(['word', 'segment'])).optional(),
    stream: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Send the transcript as server-sent events.' }),
  })
  .meta({ id: 'TranscriptionRequest' })

const transcript = z
  .looseObject({ text: z.string().meta({ examples: ['Hello from the platform team.'] }) })
  .meta({ id: 'Transcription', description: 'With `verbose_json` also words and segments.' })

const event = z
  .looseObject({
    type: z.string().meta({
      description: '`transcript.text.delta`, `transcript.text.done` and others.',
      examples: ['transcript.text.delta'],
    }),
    delta: z
      .string()
      .optional()
      .meta({ examples: ['Hello'] }),
  })
  .meta({ id: 'TranscriptionEvent', description: 'The data of an event.' })

export const transcriptionDocs: RouteDocs = {
  body: {
    'multipart/form-data': { schema: form, example: { model: 'gpt-4o-transcribe', file: 'speech.mp3' } },
  },
  response: {
    200: {
      description: 'The transcript, in the format that `response_format` and `stream` ask for.',
      content: {
        'application/json': { schema: transcript },
        'text/plain': { schema: z.string(), example: 'Hello from the platform team.\n' },
        'text/event-stream': { schema: event },
      },
    },
    ...passedErrors(errorBody),
  },
  errors: providerErrors,
}
