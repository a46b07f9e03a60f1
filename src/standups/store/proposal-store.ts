import type { Insertable, Updateable } from 'kysely'
import type { DbTransaction, ProposalRow, Queries, StandupTables } from '../tables.ts'

type Table = StandupTables['standups.proposals']

export async function insertProposal(db: DbTransaction, values: Insertable<Table>): Promise<ProposalRow> {
  return db.insertInto('standups.proposals').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Oldest first. */
export async function listProposals(db: Queries, sessionId: string): Promise<ProposalRow[]> {
  return db
    .selectFrom('standups.proposals')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findProposal(
  db: Queries,
  sessionId: string,
  id: string,
): Promise<ProposalRow | undefined> {
  return db
    .selectFrom('standups.proposals')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function updateProposal(
  db: DbTransaction,
  id: string,
  values: Updateable<Table>,
): Promise<ProposalRow> {
  return db
    .updateTable('standups.proposals')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
