import { createHash } from 'node:crypto'

/** The two login roles of an offered database. Neither may do anything outside it. */
export interface AgentRoles {
  /** Reads only. */
  reader: string
  /** Writes, and owns what it creates. */
  agent: string
}

export function rolesOf(platform: string, name: string): AgentRoles {
  const owner = platform === 'status' ? 'signalbox' : platform
  const base = fitting(`${owner}_${name}`)
  return { reader: `${base}_reader`, agent: `${base}_agent` }
}

/** PostgreSQL cuts names at 63 bytes, so two long ones could become the same. */
function fitting(base: string): string {
  if (Buffer.byteLength(base) <= 55) return base
  return `${base.slice(0, 40)}_${createHash('sha256').update(base).digest('hex').slice(0, 12)}`
}

/** Of the platform's database the agents see these, and only rows of the first group. */
export const visibleTables = [
  { table: 'records.services', isWritable: true },
  { table: 'records.maintenance_windows', isWritable: true },
  { table: 'records.deployments', isWritable: true },
  { table: 'records.incidents', isWritable: true },
  { table: 'records.tickets', isWritable: true },
  { table: 'records.devlogs', isWritable: true },
  { table: 'records.skills', isWritable: true },
  { table: 'records.learnings', isWritable: true },
  { table: 'records.initiatives', isWritable: false },
  { table: 'records.agents', isWritable: false },
] as const
