import { readResponseUsage } from '../openai/responses/usage.ts'
import type { Usage } from '../../provider.ts'
import { countOf, objectOf, type JsonObject } from '../../wire/json.ts'
import { decimalAt, readChatUsage } from '../../passthrough/usage.ts'

const totalCost = ['usage', 'cost', 'total_cost']

export function agentUsage(response: JsonObject, json: Buffer): Usage | null {
  const usage = readResponseUsage(response['usage'])
  if (!usage) return null
  const calls = Object.entries(objectOf(objectOf(response['usage'])['tool_calls_details']))
  const units = calls.map(([tool, report]) => [tool, countOf(objectOf(report)['invocation'])] as const)
  return { ...usage, statedCost: decimalAt(json, totalCost), units: counted(units) }
}

export function sonarUsage(response: JsonObject, json: Buffer): Usage | null {
  const usage = readChatUsage(response['usage'])
  if (!usage) return null
  const report = objectOf(response['usage'])
  const units = ['citation_tokens', 'num_search_queries'].map(
    (name) => [name, countOf(report[name])] as const,
  )
  return { ...usage, statedCost: decimalAt(json, totalCost), units: counted(units) }
}

function counted(units: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(units.filter(([, count]) => count > 0))
}
