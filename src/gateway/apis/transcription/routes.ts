import type { Http } from '#kernel/http'
import { transcriptionDocs } from '../../reference/index.ts'
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
        config: { needs: 'gateway', keyOnly: true, streamsBody: true, docs: transcriptionDocs },
        schema: {
          tags: ['Gateway'],
          operationId: 'createTranscription',
          summary: 'Transcribe audio',
          description:
            "OpenAI's transcription. The file streams to the provider as it arrives, up to 512 MiB; with `model` before `file` nothing is stored on the way. Otherwise it waits on the disk, for which there is a limit per group (429) and for the server (503).",
        },
      },
      transcribe,
    )
    done()
  })
}
