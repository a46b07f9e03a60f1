import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createCorpusDatabase, type CorpusDatabase } from '#test/sql-corpus'
import { createClassifier } from '../classify/create-classifier.ts'
import { decide } from './decide.ts'
import { readFacts } from './facts.ts'
import { dataEngineerPolicy } from './policy.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
let database: CorpusDatabase
before(async () => {
  database = await createCorpusDatabase()
  await database.administrator.query(
    'create extension pg_trgm; create extension pgcrypto; create extension citext',
  )
})
after(async () => {
  await classifier.close()
  await database.close()
})

const everyday = [
  "SELECT extract(epoch FROM now()), date_trunc('day', now()), now() AT TIME ZONE 'UTC', now() AT LOCAL",
  "SELECT trim(both 'x' from 'xax'), position('a' in 'ba'), substring('abc' from 2 for 1), overlay('abc' placing 'x' from 1)",
  "SELECT 'a' LIKE 'b' ESCAPE '!', 'a' SIMILAR TO 'b', normalize('a'), 'a' IS NORMALIZED, collation for ('a')",
  'SELECT current_date, current_user, localtimestamp, session_user, current_catalog',
  "SELECT date('2026-01-01'), text(1), int4('1'), float8('1.5')",
  "SELECT count(*), sum(amount), avg(amount), string_agg(id::text, ','), array_agg(DISTINCT id ORDER BY id) FROM orders",
  'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY id) FROM orders',
  'SELECT row_number() OVER w, lag(id) OVER w, ntile(4) OVER w FROM orders WINDOW w AS (ORDER BY id)',
  'SELECT user_id, grouping(user_id) FROM orders GROUP BY GROUPING SETS ((user_id), ())',
  "SELECT jsonb_build_object('a', 1) -> 'a', json_agg(o), to_jsonb(o) FROM orders o GROUP BY o",
  `SELECT * FROM json_table('[{"a":1}]', '$[*]' COLUMNS (a int PATH '$.a'))`,
  "SELECT json_object('a': 1), json_array(1, 2), json_value('{}', '$.a'), '{}' IS JSON",
  'SELECT * FROM generate_series(1, 10) WITH ORDINALITY, unnest(ARRAY[1, 2]) AS u(x)',
  'SELECT * FROM orders TABLESAMPLE bernoulli (10) REPEATABLE (1)',
  'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT * FROM t',
  'SELECT DISTINCT ON (user_id) * FROM orders o LEFT JOIN LATERAL (SELECT * FROM users u WHERE u.id = o.user_id) x ON true',
  "SELECT pg_size_pretty(pg_total_relation_size('orders')), pg_relation_size('orders'), pg_database_size(current_database())",
  'SELECT * FROM information_schema.columns WHERE table_name = $1',
  'SELECT c.relname, pg_get_indexdef(i.indexrelid) FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid',
  'SELECT pid, state, query FROM pg_stat_activity',
  'SELECT * FROM pg_locks WHERE NOT granted',
  'SELECT * FROM pg_stat_user_tables ORDER BY n_dead_tup DESC',
  "SELECT col_description('users'::regclass, 1), obj_description('users'::regclass), format_type(23, null)",
  "SELECT has_table_privilege('users', 'select'), to_regclass('users'), pg_typeof(1)",
  'SELECT gen_random_uuid(), uuidv7(), random(), clock_timestamp()',
  "SELECT similarity('a', 'b'), 'a' % 'b', 'a'::citext = 'A', encode(digest('a', 'sha256'), 'hex'), md5('a')",
  "SELECT to_tsvector('english', 'a') @@ plainto_tsquery('a'), ts_rank(to_tsvector('a'), 'a'::tsquery)",
  "INSERT INTO users (email) VALUES ('a'), (DEFAULT) ON CONFLICT (id) DO UPDATE SET email = excluded.email RETURNING *",
  'INSERT INTO orders (user_id, amount) SELECT id, 1 FROM users WHERE NOT EXISTS (SELECT 1 FROM orders)',
  'UPDATE orders o SET amount = u.id FROM users u WHERE u.id = o.user_id RETURNING old.amount, new.amount',
  'DELETE FROM orders USING users u WHERE u.id = user_id AND u.email IS NULL',
  'CREATE TABLE IF NOT EXISTS t (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz DEFAULT now(), key uuid DEFAULT gen_random_uuid(), CHECK (length(key::text) > 1))',
  'CREATE TABLE summary AS SELECT user_id, count(*) FROM orders GROUP BY 1',
  'CREATE UNIQUE INDEX ON users (lower(email)) WHERE email IS NOT NULL',
]

async function decisionOf(sql: string): Promise<string> {
  const statements = await classifier.classify(sql, 'execute')
  const facts = await readFacts(
    async (text, values) => (await database.agent.query(text, values)).rows,
    statements,
  )
  const decided = decide({
    database: 'application',
    statements,
    policy: dataEngineerPolicy,
    kind: 'execute',
    ...facts,
  })
  return `${decided.decision}: ${decided.message}`
}

test('what an honest agent writes every day is not refused', async () => {
  for (const sql of everyday)
    assert.equal(await decisionOf(sql), 'execute: The policy allows every operation of the statement.', sql)
})
