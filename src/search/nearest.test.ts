import pg from 'pg'
import { createLog } from '#kernel/log'
import { testServer } from '#test/database'
import { createNearestBits } from './nearest-bits.ts'
import { createNearestPgvector, hasPgvector, prepareModel } from './nearest-pgvector.ts'
import { nearestContract } from './testing-nearest.ts'

nearestContract('signs', async ({ database }) => createNearestBits(database.pool))

const client = new pg.Client({ ...testServer(), database: 'postgres' })
await client.connect()
const { rowCount } = await client.query(`select 1 from pg_available_extensions where name = 'vector'`)
await client.end()

nearestContract(
  'pgvector',
  async ({ database: { pool, sessions } }, model) => {
    await hasPgvector(pool, await createLog({ level: 'silent', form: 'json' }))
    await prepareModel(sessions, model, new AbortController().signal)
    return createNearestPgvector(pool, createNearestBits(pool))
  },
  rowCount === 0 && 'this server has no pgvector',
)
