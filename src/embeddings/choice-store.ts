import type { Generated, Kysely } from 'kysely'
import type { Choice, DriverName } from './choose-runtime.ts'

export interface ChoiceTables {
  'embeddings.choices': {
    settings: string
    driver: DriverName
    model: string
    fingerprint: string
    digest: string | null
    chosen_at: Generated<Date>
  }
}

export async function readChoice(db: Kysely<ChoiceTables>, settings: string): Promise<Choice | undefined> {
  return db
    .selectFrom('embeddings.choices')
    .select(['driver', 'model', 'fingerprint', 'digest'])
    .where('settings', '=', settings)
    .executeTakeFirst()
}

export async function saveChoice(db: Kysely<ChoiceTables>, settings: string, choice: Choice): Promise<void> {
  const row = { ...choice, chosen_at: new Date() }
  await db
    .insertInto('embeddings.choices')
    .values({ settings, ...row })
    .onConflict((conflict) => conflict.column('settings').doUpdateSet(row))
    .execute()
}
