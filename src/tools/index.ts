import { agentTools } from './agents.ts'
import { eventSearch, search, transcript, transcriptSearch } from './archive.ts'
import { deployments, devlogs, initiatives, tickets, usage } from './records.ts'
import { sqlTools } from './sql.ts'
import type { Tool } from './tool.ts'

export type { Following, Link, Tool } from './tool.ts'
export type { Platform, PlatformRequest, PlatformResponse } from './platform.ts'

/** What agents read, by name, for those who offer only some of it. */
export const readers = {
  ...{ search, transcriptSearch, transcript, eventSearch },
  ...{ usage, tickets, initiatives, deployments, devlogs },
} as const

/** Every tool of the platform. Who offers tools to a model takes them from here, all or some. */
export const toolbox: readonly Tool[] = [...agentTools, ...sqlTools, ...Object.values(readers)]
