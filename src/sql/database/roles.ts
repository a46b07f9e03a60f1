import { createHash } from 'node:crypto'

/** The roles of an offered database. None may do anything outside it. */
export interface AgentRoles {
  /** Logs in and reads only. */
  reader: string
  /** Logs in and writes. */
  agent: string
  /** Of databases that are not ours: owns what agents may change, and cannot log in. */
  owner: string
}

export function rolesOf({ rolePrefix }: { rolePrefix: string }): AgentRoles {
  return {
    reader: `${rolePrefix}_reader`,
    agent: `${rolePrefix}_agent`,
    owner: `${rolePrefix}_owner`,
  }
}

/** Roles belong to a whole server, which several installations and groups may share. */
export function rolePrefixOf(platform: string, name: string, id?: string): string {
  const installation = platform === 'status' ? 'signalbox' : platform
  return fitting(id === undefined ? `${installation}_${name}` : `${installation}_${name}_${id.slice(0, 8)}`)
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
