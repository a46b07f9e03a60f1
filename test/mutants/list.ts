import { accessMutants } from './access.ts'
import { alertMutants } from './alerts.ts'
import { attentionMutants } from './attention.ts'
import { bodyMutants } from './bodies.ts'
import { cacheMutants } from './cache.ts'
import { consoleMutants } from './console.ts'
import { dataMutants } from './data.ts'
import { gatewayMutants } from './gateway.ts'
import { initiativeMutants } from './initiatives.ts'
import { kernelMutants } from './kernel.ts'
import { agentWorkMutants } from './agent-work.ts'
import { agentMutants } from './agents.ts'
import { limitMutants } from './limits.ts'
import { linkMutants } from './links.ts'
import { mcpMutants } from './mcp.ts'
import type { Mutant } from './mutant.ts'
import { notificationMutants } from './notifications.ts'
import { operationMutants } from './operations.ts'
import { recordMutants } from './records.ts'
import { routingMutants } from './routing.ts'
import { secretMutants } from './secrets.ts'
import { socketMutants } from './sockets.ts'
import { sqlPolicyMutants } from './sql-policy.ts'
import { sqlProxyMutants } from './sql-proxy.ts'
import { sqlRuleMutants } from './sql-rules.ts'
import { standupMutants } from './standups.ts'
import { transcriptsWatcherMutants } from './transcripts-watcher.ts'
import { transcriptMutants } from './transcripts.ts'
import { usageMutants } from './usage.ts'
import { webhookMutants } from './webhooks.ts'

/** By part, which `--part` chooses. */
export const mutantParts: Readonly<Record<string, readonly Mutant[]>> = {
  kernel: kernelMutants,
  access: accessMutants,
  bodies: bodyMutants,
  cache: cacheMutants,
  data: dataMutants,
  secrets: secretMutants,
  usage: usageMutants,
  console: consoleMutants,
  gateway: gatewayMutants,
  limits: limitMutants,
  links: linkMutants,
  routing: routingMutants,
  sockets: socketMutants,
  records: recordMutants,
  alerts: alertMutants,
  attention: attentionMutants,
  initiatives: initiativeMutants,
  transcripts: transcriptMutants,
  webhooks: webhookMutants,
  notifications: notificationMutants,
  'transcripts-watcher': transcriptsWatcherMutants,
  'sql-policy': sqlPolicyMutants,
  'sql-proxy': sqlProxyMutants,
  'sql-rules': sqlRuleMutants,
  standups: standupMutants,
  agents: [...agentMutants, ...agentWorkMutants],
  mcp: mcpMutants,
  operations: operationMutants,
}

export const mutants: readonly Mutant[] = Object.values(mutantParts).flat()
