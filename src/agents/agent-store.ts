import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { AgentTables } from './tables.ts'

type Db = Kysely<AgentTables>
export type AgentRow = Selectable<AgentTables['agents.agents']>
export type NewAgentRow = Insertable<AgentTables['agents.agents']>
export type VersionRow = Selectable<AgentTables['agents.versions']>

const maxListed = 500

export interface AgentPage {
  /** Only those behind this agent. */
  after: { at: Date; id: string } | undefined
  limit: number
}

/** The oldest first. */
export async function listAgents(db: Db, groupId: string, { after, limit }: AgentPage): Promise<AgentRow[]> {
  let query = db.selectFrom('agents.agents').selectAll().where('group_id', '=', groupId)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after.at}, ${after.id})`)
  return query.orderBy('created_at').orderBy('id').limit(limit).execute()
}

export async function listModels(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('agents.agents').select('model').distinct().execute()
  return rows.map(({ model }) => model)
}

export async function countAgents(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('agents.agents')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findAgent(db: Db, groupId: string, id: string): Promise<AgentRow | undefined> {
  return db
    .selectFrom('agents.agents')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Changes of one agent wait for each other until the transaction ends. */
export async function lockAgent(db: Db, groupId: string, id: string): Promise<AgentRow | undefined> {
  return db
    .selectFrom('agents.agents')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Undefined: there is one with this ID. */
export async function insertAgent(db: Db, agent: NewAgentRow): Promise<AgentRow | undefined> {
  return db
    .insertInto('agents.agents')
    .values(agent)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export type AgentUpdate = Partial<
  Pick<NewAgentRow, 'name' | 'model' | 'category' | 'description' | 'capabilities' | 'config'>
> &
  Pick<NewAgentRow, 'version' | 'policy_version'>

export async function updateAgent(
  db: Db,
  groupId: string,
  id: string,
  change: AgentUpdate,
): Promise<AgentRow> {
  return db
    .updateTable('agents.agents')
    .set({ ...change, updated_at: new Date() })
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteAgent(db: Db, groupId: string, id: string): Promise<void> {
  await db.deleteFrom('agents.agents').where('group_id', '=', groupId).where('id', '=', id).execute()
}

/** 0: no agent ever had this ID. */
export async function lastVersion(db: Db, groupId: string, id: string): Promise<number> {
  const row = await db
    .selectFrom('agents.versions')
    .select((eb) => eb.fn.max('version').as('version'))
    .where('group_id', '=', groupId)
    .where('agent_id', '=', id)
    .executeTakeFirst()
  return row?.version ?? 0
}

export async function insertVersion(
  db: Db,
  version: Insertable<AgentTables['agents.versions']>,
): Promise<void> {
  await db.insertInto('agents.versions').values(version).execute()
}

export async function listVersions(db: Db, groupId: string, id: string): Promise<VersionRow[]> {
  return db
    .selectFrom('agents.versions')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('agent_id', '=', id)
    .orderBy('version', 'desc')
    .limit(maxListed)
    .execute()
}

export async function findVersion(
  db: Db,
  groupId: string,
  id: string,
  version: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('agents.versions')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('agent_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** True for the caller that may seed the group: only the first. */
export async function claimSeeding(db: Db, groupId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('agents.seeded_groups')
    .values({ group_id: groupId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
