import { accessMutants } from './access.ts'
import { bodyMutants } from './bodies.ts'
import { cacheMutants } from './cache.ts'
import { consoleMutants } from './console.ts'
import { dataMutants } from './data.ts'
import { gatewayMutants } from './gateway.ts'
import { initiativeMutants } from './initiatives.ts'
import { kernelMutants } from './kernel.ts'
import { agentMutants } from './agents.ts'
import { mcpMutants } from './mcp.ts'
import type { Mutant } from './mutant.ts'
import { recordMutants } from './records.ts'
import { secretMutants } from './secrets.ts'
import { socketMutants } from './sockets.ts'
import { sqlPolicyMutants } from './sql-policy.ts'
import { sqlProxyMutants } from './sql-proxy.ts'
import { standupMutants } from './standups.ts'
import { transcriptsWatcherMutants } from './transcripts-watcher.ts'
import { transcriptMutants } from './transcripts.ts'
import { usageMutants } from './usage.ts'
import { webhookMutants } from './webhooks.ts'

export const mutants: readonly Mutant[] = [
  ...kernelMutants,
  ...accessMutants,
  ...bodyMutants,
  ...cacheMutants,
  ...dataMutants,
  ...secretMutants,
  ...usageMutants,
  ...consoleMutants,
  ...gatewayMutants,
  ...socketMutants,
  ...recordMutants,
  ...initiativeMutants,
  ...transcriptMutants,
  ...webhookMutants,
  ...transcriptsWatcherMutants,
  ...sqlPolicyMutants,
  ...sqlProxyMutants,
  ...standupMutants,
  ...agentMutants,
  ...mcpMutants,
]
