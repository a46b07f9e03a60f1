import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith } from '#test/people'
import { waitFor } from '#test/wait'
import { startSql } from './testing-sql.ts'

const it = await startSql({ SQL_POOL_SIZE: '2', SQL_TIMEOUT_MS: '60000' })
const [one, other] = [await keyWith(it, ['sql']), await keyWith(it, ['sql'])]

/** A statement that runs until its lock is released. */
async function blocked(
  by: typeof one,
  mark: string,
): Promise<{ end(): Promise<void>; answers: Promise<unknown> }> {
  const { release } = await it.hold('lock table slow in access exclusive mode')
  const answers = Promise.all([1, 2, 3].map((n) => it.execute(`select ${n} as ${mark} from slow`, {}, by)))
  const running = `select from pg_stat_activity where query like '%as ${mark} from slow%' and wait_event_type = 'Lock'`
  await waitFor('the statement to run', async () => (await it.admin(running)).length > 0)
  return {
    answers,
    async end() {
      await release()
      await answers
    },
  }
}

await it.execute('create table slow (id int)')

test('slow statements of one key leave connections for the others', async () => {
  const { end } = await blocked(one, 'waits')
  const answer = await it.execute('select 1 as one', {}, other)
  assert.equal(answer.status, 200, answer.text)
  await end()
})

test('a key sees its own sessions in pg_stat_activity, and no statement of another key', async () => {
  const { end } = await blocked(one, 'hidden_from_others')
  const sql = '/* now */ select query, pid = pg_backend_pid() as mine from pg_stat_activity order by 2'
  const seen = await it.execute(sql, {}, other)
  assert.equal(seen.status, 200, seen.text)
  assert.equal(seen.json.rows.length, 1, seen.text)
  assert.equal(seen.json.rows[0].mine, true)
  await end()
})

test('every other way to the statements of other sessions is refused', async () => {
  for (const sql of [
    'select query from pg_catalog.pg_stat_activity',
    'explain analyze select query from pg_stat_activity',
    'select query from pg_stat_get_activity(null)',
    'select pg_stat_get_backend_activity(1)',
    'create table copied as select query from pg_stat_activity',
    'select query from pg_stat_statements',
  ]) {
    const answer = await it.execute(sql, {}, other)
    assert.equal(answer.status, 403, `${sql}: ${answer.text}`)
  }
  const checks = ['select query from pg_stat_activity']
  const migration = {
    database: 'application',
    name: 'look',
    statements: ['select 1'],
    checks,
    reason: 'a test',
  }
  const answer = await other('/api/v1/sql/migrate', { json: migration })
  assert.equal(answer.status, 403, answer.text)
})

test('an error in a query of pg_stat_activity has its place in the text that was sent', async () => {
  const sql = '-- sessions\nselect nothing_of_this_name from pg_stat_activity'
  const answer = await it.execute(sql, {}, other)
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.json.error.position, sql.indexOf('nothing_of_this_name'))
})

test('texts that take the parser’s whole time delay those of their own key only', async () => {
  const bomb = `SELECT ${Array<string>(32_000).fill('1').join('+')}`
  let done = 0
  const bombs = Array.from({ length: 16 }, () => it.execute(bomb, {}, one).finally(() => (done += 1)))
  const answer = await it.execute('select 1 as one', {}, other)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(done < 8, `${done} of 16 texts were read before`)
  await Promise.all(bombs)
})

test('a statement has limits of memory and of files', async () => {
  const { json } = await it.execute(
    `select current_setting('work_mem') as memory, current_setting('hash_mem_multiplier') as factor,
      current_setting('max_parallel_workers_per_gather') as workers, current_setting('temp_file_limit') as files`,
  )
  assert.deepEqual(json.rows, [{ memory: '16MB', factor: '1', workers: '0', files: '1GB' }])
})
