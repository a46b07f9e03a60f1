import {
  completable,
  inputRequired,
  type GetPromptResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { filled, form } from './asking-tools.ts'
import { embedded, image, text } from './contents.ts'

type Content = GetPromptResult['messages'][number]['content']
const says = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

/** Prompts of the names that the conformance suite gets, one of them with arguments that can be completed. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, async () =>
    says(text('This is a simple prompt for testing.')),
  )
  const argsSchema = z.object({
    arg1: completable(z.string(), (begun) => ['paris', 'park'].filter((word) => word.startsWith(begun))),
    arg2: z.string(),
  })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema },
    async ({ arg1, arg2 }) => says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) =>
      says(embedded(resourceUri, 'text/plain', 'A resource.'), text('Please read the resource.')),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture' }, async () =>
    says(image, text('Please look at the picture.')),
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async (given) => {
    // Without arguments the context is the only argument, which the types do not say.
    const { mcpReq } = given as unknown as ServerContext
    const context = filled(mcpReq, 'user_context', 'context')
    if (context !== undefined) return says(text(`Use this: ${context}`))
    return inputRequired({ inputRequests: { user_context: form('Which context?', 'context') } })
  })
}
