import { z } from 'zod'
import { Fault, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { repeatedNote } from '#kernel/tool-calls'
import { WorkLost } from '../session-log.ts'
import { ToolRefusal, type AgentTool, type Link, type ToolContext, type ToolOutcome } from './tool.ts'

export interface ToolCall {
  id: string
  name: string
  arguments: string
}

const maxLinks = 20

/** Proposals, questions and research are events of their own. */
const withOwnEvent = new Set(['propose_decision', 'propose_confidence', 'ask_question', 'research'])

/** Runs one call of the model. Whatever is wrong with it is told to the model, which may try otherwise. */
export async function runTool(
  call: ToolCall,
  tools: readonly AgentTool[],
  context: ToolContext & { known: Map<string, Link> },
  log: Log,
): Promise<string> {
  try {
    const outcome = await attempt(call, tools, context)
    const links = [...(outcome.links ?? [])]
    for (const link of links) context.known.set(link.url, link)
    context.useless.worked(call.name, call.arguments)
    if (!withOwnEvent.has(call.name)) await report(context, call, outcome.summary, links, false)
    return outcome.result
  } catch (error) {
    if (error instanceof WorkLost || context.signal.aborted) throw error
    if (!(error instanceof ToolRefusal || error instanceof Fault))
      log.warn({ tool: call.name, reason: messageOf(error) }, 'a tool of a stand-up failed')
    const reason = error instanceof ToolRefusal || error instanceof Fault ? error.message : 'The tool failed.'
    await report(context, call, reason, [], true)
    const isKnown = tools.some(({ name }) => name === call.name)
    if (!isKnown) context.useless.unknownTool()
    const isRepeated = isKnown && context.useless.failed(call.name, call.arguments)
    return `Error: ${reason}${isRepeated ? `\n${repeatedNote}` : ''}`
  }
}

async function attempt(
  call: ToolCall,
  tools: readonly AgentTool[],
  context: ToolContext,
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool)
    throw new ToolRefusal(`There is no tool "${call.name.slice(0, 100)}". There are: ${namesOf(tools)}.`)
  return tool.run(readArguments(tool, call.arguments) as never, context)
}

const namesOf = (tools: readonly AgentTool[]): string => tools.map(({ name }) => name).join(', ')

function readArguments(tool: AgentTool, given: string): unknown {
  const { data, error } = tool.input.safeParse(parse(given))
  if (data) return data
  throw new ToolRefusal(`The arguments are not valid. ${z.prettifyError(error).slice(0, 1_000)}`)
}

function parse(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new ToolRefusal('The arguments are not JSON.')
  }
}

async function report(
  { add }: ToolContext,
  { name }: ToolCall,
  summary: string,
  links: readonly Link[],
  isError: boolean,
): Promise<void> {
  await add({
    type: 'tool',
    name: name.slice(0, 100),
    summary: summary.slice(0, 500),
    links: links.slice(0, maxLinks).map(({ title, url }) => ({ title: title.slice(0, 300), url })),
    is_error: isError,
  })
}
