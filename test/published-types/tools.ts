import type { Random } from './random.ts'
import { objectSchema } from './schemas.ts'

export interface FunctionTool {
  type: 'function'
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean }
}

const plainNames = ['get_weather', 'find-place', 'send_mail', 'lookup', 'Calculate2']
/** Valid for a client, but not in every provider's grammar: these must be rewritten on the way. */
const oddNames = ['weather.now', '2nd_tool', 'files:read']

export function functionTools(random: Random, takesOddNames: boolean): FunctionTool[] {
  const names = [...plainNames, ...(takesOddNames ? oddNames : [])].filter(() => random.chance(35))
  return names.map((name) => functionTool(random, name))
}

function functionTool(random: Random, name: string): FunctionTool {
  const isStrict = random.chance(30)
  return {
    type: 'function',
    function: {
      name,
      ...(random.chance(70) ? { description: `Does what ${name} says.` } : {}),
      ...(isStrict || random.chance(85) ? { parameters: objectSchema(random, isStrict) } : {}),
      ...(isStrict ? { strict: true } : random.some(20, { strict: [false] })),
    },
  }
}

export interface ToolRules {
  canForce: boolean
  takesAllowedTools: boolean
}

/** The fields about tools; none of them without a tool, which OpenAI refuses. */
export function toolFields(
  random: Random,
  tools: readonly FunctionTool[],
  { canForce, takesAllowedTools }: ToolRules,
): Record<string, unknown> {
  if (tools.length === 0) return {}
  const reference = { type: 'function', function: { name: random.pick(tools).function.name } }
  const choices: unknown[] = ['auto', 'none']
  if (canForce) choices.push('required', reference)
  if (takesAllowedTools) {
    const mode = canForce ? random.pick(['auto', 'required']) : 'auto'
    choices.push({ type: 'allowed_tools', allowed_tools: { mode, tools: [reference] } })
  }
  return { tools, ...random.some(50, { tool_choice: choices, parallel_tool_calls: [true, false] }) }
}
