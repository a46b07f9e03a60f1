import type { Http } from '#kernel/http'
import { createTranscribe, type TranscribeDeps } from './transcribe.ts'

/** In a scope of its own: here, and only here, a body of any type is handed over unread. */
export function transcriptionRoutes(app: Http, deps: TranscribeDeps): void {
  const transcribe = createTranscribe(deps)
  void app.register((scope: Http, _options, done) => {
    scope.removeAllContentTypeParsers()
    // What is not a form is refused by the handler, so that it is metered like every other request.
    for (const type of ['multipart/form-data', '*'])
      scope.addContentTypeParser(type, (_request, body, parsed) => parsed(null, body))
    scope.post(
      '/v1/audio/transcriptions',
      {
        config: { needs: 'gateway', keyOnly: true },
        schema: {
          tags: ['Gateway'],
          summary: 'Transcribe audio',
          description:
            'Takes multipart/form-data as OpenAI does: file, model, language, prompt, response_format, temperature, timestamp_granularities[], stream. The file is passed on as it arrives, up to 512 MiB; with "model" before "file" nothing is stored on the way.',
        },
      },
      transcribe,
    )
    done()
  })
}
