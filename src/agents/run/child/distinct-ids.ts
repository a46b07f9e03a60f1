import type { LanguageModelMiddleware } from 'ai'

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>
type Given = Parameters<WrapStream>[0]
type StreamPart =
  Awaited<ReturnType<Given['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * Gives a call whose id the conversation has already another one. Some models number their calls from one in every
 * response, or give all of them the same id; a result would then be taken for that of another call.
 */
export const distinctIds: LanguageModelMiddleware = {
  async wrapStream({ doStream, params }) {
    const { stream, ...rest } = await doStream()
    const taken = new Set(params.prompt.flatMap(idsIn))
    return { ...rest, stream: stream.pipeThrough(renaming(taken)) }
  },
}

function renaming(taken: Set<string>): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      // Pieces of arguments, which have the id too; nothing reads them, and the call has them whole.
      if (part.type.startsWith('tool-input-')) return
      controller.enqueue(
        part.type === 'tool-call' ? { ...part, toolCallId: freeId(part.toolCallId, taken) } : part,
      )
    },
  })
}

function freeId(id: string, taken: Set<string>): string {
  let free = id
  for (let number = 2; taken.has(free); number++) free = `${id}-${number}`
  taken.add(free)
  return free
}

function idsIn({ role, content }: Given['params']['prompt'][number]): string[] {
  return role === 'assistant'
    ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    : []
}
