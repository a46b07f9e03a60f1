import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import type { ClassifiedStatement } from './classification.ts'
import { createClassifier } from './create-classifier.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

async function one(sql: string): Promise<ClassifiedStatement> {
  const [statement, ...rest] = await classifier.classify(sql, 'execute')
  assert.ok(statement && rest.length === 0, sql)
  return statement
}

/** Operations in words; those of stored or later code in brackets. */
async function operationsOf(sql: string): Promise<string> {
  const { operations } = await one(sql)
  return operations.map(({ name, inner }) => (inner ? `(${name})` : name)).join(', ')
}

const operations: [sql: string, operations: string][] = [
  ['INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1', 'INSERT, UPDATE'],
  ['INSERT INTO t SELECT * FROM u', 'INSERT, SELECT'],
  ['INSERT INTO t DEFAULT VALUES', 'INSERT'],
  ['MERGE INTO t USING u ON t.id = u.id WHEN NOT MATCHED THEN INSERT VALUES (1)', 'MERGE, INSERT'],
  ['MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DO NOTHING', 'MERGE'],
  ['SELECT 1 UNION SELECT 2 UNION (SELECT 3 INTO x)', 'SELECT, CREATE TABLE'],
  ['SELECT (WITH a AS (DELETE FROM t RETURNING 1) SELECT 1)', 'SELECT, DELETE'],
  ['EXPLAIN SELECT * INTO x FROM t', 'EXPLAIN'],
  ['EXPLAIN (ANALYZE on, ANALYZE OFF) DELETE FROM t', 'EXPLAIN'],
  ["EXPLAIN (ANALYZE 'tRuE') DELETE FROM t", 'EXPLAIN, DELETE'],
  ['EXPLAIN (ANALYZE 0) DELETE FROM t', 'EXPLAIN'],
  ['CREATE MATERIALIZED VIEW m AS SELECT 1', 'CREATE MATERIALIZED VIEW, SELECT'],
  ['CREATE VIEW v AS SELECT 1', 'CREATE VIEW, (SELECT)'],
  ['CREATE RULE r AS ON INSERT TO t DO ALSO DELETE FROM u', 'CREATE RULE, (DELETE)'],
  ['CREATE SCHEMA s CREATE TABLE t (a int)', 'CREATE SCHEMA, CREATE TABLE'],
  ["COPY (DELETE FROM t RETURNING *) TO '/tmp/x'", 'COPY TO FILE, DELETE'],
  [
    'CREATE OR REPLACE PROCEDURE p() LANGUAGE sql BEGIN ATOMIC DELETE FROM t; END',
    'CREATE PROCEDURE, (DELETE)',
  ],
  [
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'DELETE FROM t; SELECT 1'",
    'CREATE FUNCTION, (DELETE), (SELECT)',
  ],
  [
    'DO $$ BEGIN UPDATE t SET a = 1; IF f() THEN DELETE FROM t; END IF; COMMIT; END $$',
    'DO, (UPDATE), (DELETE), (COMMIT)',
  ],
  ['DO $$ BEGIN EXECUTE $x$DROP TABLE t$x$; END $$', 'DO'],
  ['ALTER TABLE t RENAME COLUMN a TO b', 'ALTER TABLE'],
  ['ALTER VIEW v RENAME COLUMN a TO b', 'ALTER VIEW'],
  ['ALTER INDEX i RENAME TO j', 'ALTER INDEX'],
  ['ALTER TABLE t RENAME CONSTRAINT a TO b', 'ALTER TABLE'],
  ['ALTER TYPE y RENAME ATTRIBUTE a TO b', 'ALTER TYPE'],
  ['ALTER TABLE t OWNER TO o', 'ALTER TABLE'],
  ['ALTER TABLE t SET SCHEMA s', 'ALTER TABLE'],
  ['ALTER TABLE t REPLICA IDENTITY FULL', 'ALTER TABLE'],
  ['ALTER FUNCTION f() SET search_path = public', 'ALTER FUNCTION'],
  ['ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO r', 'ALTER DEFAULT PRIVILEGES'],
  ['ANALYZE t', 'ANALYZE'],
  ['VACUUM t', 'VACUUM'],
  ['START TRANSACTION', 'BEGIN'],
  ["PREPARE TRANSACTION 'x'", 'PREPARE TRANSACTION'],
  ['SET SESSION AUTHORIZATION DEFAULT', 'SET SESSION AUTHORIZATION'],
  ["SET TRANSACTION SNAPSHOT 'x'", 'SET TRANSACTION'],
  ['RESET ALL', 'RESET'],
  ['SET CONSTRAINTS ALL DEFERRED', 'SET CONSTRAINTS'],
  ['CREATE USER u', 'CREATE ROLE'],
  ['DROP OPERATOR CLASS c USING btree', 'DROP OPERATOR CLASS'],
  ['DROP TEXT SEARCH DICTIONARY d', 'DROP TEXT SEARCH DICTIONARY'],
  ['MOVE NEXT FROM c', 'MOVE'],
]

test('every operation is found and named, wherever it stands', async () => {
  for (const [sql, expected] of operations) assert.equal(await operationsOf(sql), expected, sql)
})

const calls = [
  'SELECT f()',
  'SELECT 1 WHERE f()',
  'SELECT 1 ORDER BY f()',
  'SELECT 1 LIMIT f()',
  'SELECT 1 GROUP BY ROLLUP (f())',
  'SELECT sum(1) OVER (PARTITION BY f())',
  'SELECT sum(1) OVER w FROM t WINDOW w AS (ORDER BY f())',
  'SELECT count(*) FILTER (WHERE f()) FROM t',
  'SELECT DISTINCT ON (f()) 1',
  'SELECT CASE WHEN f() THEN 1 END',
  'SELECT ARRAY[[f()]]',
  'SELECT (ARRAY[1])[f()]',
  'SELECT ROW(1, f())',
  'SELECT * FROM f()',
  'SELECT * FROM ROWS FROM (g(), f()) AS t(a, b)',
  'SELECT * FROM t TABLESAMPLE system (f())',
  'SELECT * FROM t JOIN u ON f()',
  "SELECT * FROM JSON_TABLE(f(), '$' COLUMNS (a int))",
  "SELECT * FROM XMLTABLE('/' PASSING f() COLUMNS a int)",
  'SELECT xmlelement(name a, xmlattributes(f() AS b))',
  'SELECT COALESCE(GREATEST(f()))',
  'SELECT 1 IN (SELECT 2 WHERE f())',
  'VALUES (1), (f())',
  'WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT f() FROM a) SELECT * FROM a',
  'INSERT INTO t VALUES (f())',
  'INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = f()',
  'UPDATE t SET (a, b) = (SELECT 1, f())',
  'DELETE FROM t RETURNING f()',
  'MERGE INTO t USING u ON true WHEN MATCHED AND f() THEN DELETE',
  'CALL f()',
  'CREATE TABLE t (a int DEFAULT f())',
  'CREATE TABLE t (a int CHECK (f()))',
  'CREATE TABLE t (a int GENERATED ALWAYS AS (f()) STORED)',
  'CREATE TABLE t (a int) PARTITION BY RANGE (f())',
  'CREATE INDEX ON t (f())',
  'CREATE INDEX ON t (a) WHERE f()',
  'CREATE POLICY p ON t USING (f())',
  'ALTER TABLE t ALTER a TYPE int USING f()',
  'CREATE FUNCTION g(a int DEFAULT f()) RETURNS int LANGUAGE sql RETURN 1',
  'CREATE FUNCTION g() RETURNS int LANGUAGE sql RETURN f()',
  'EXPLAIN SELECT f()',
  'DO $$ DECLARE a int := f(); BEGIN END $$',
  'DO $$ DECLARE a int[]; BEGIN a[f()] := 1; END $$',
  'DO $$ BEGIN RAISE NOTICE $a$%$a$, f(); END $$',
  'DO $$ BEGIN FOR i IN 1..f() LOOP END LOOP; END $$',
]

test('a call is found in every corner of the grammar', async () => {
  for (const sql of calls) {
    const { functions } = await one(sql)
    assert.ok(
      functions.some(({ name }) => name === 'f'),
      sql,
    )
  }
})

test('relations are reported with their use; queries of WITH are not relations, except inside themselves', async () => {
  const sql = 'WITH x AS (SELECT * FROM x), y AS (SELECT * FROM x) UPDATE a.t SET b = 1 FROM y JOIN u ON true'
  const { relations } = await one(sql)
  assert.deepEqual(
    relations.map(({ schema, name, mode, position }) => [
      schema,
      name,
      mode,
      sql.slice(position, position + 3),
    ]),
    [
      ['a', 't', 'write', 'a.t'],
      [null, 'x', 'read', 'x),'],
      [null, 'u', 'read', 'u O'],
    ],
  )
})

test('positions are characters of the text, also behind characters of several bytes and after comments', async () => {
  const sql = "/* ü */ WITH 😀 AS (SELECT 'é') SELECT pg_sleep(1), 😀 FROM a.b.c, d.e.f('é')"
  const statement = await one(sql)
  assert.equal(statement.from, sql.indexOf('WITH'))
  assert.equal(statement.to, sql.length)
  assert.deepEqual(
    [...statement.functions, ...statement.crossDatabase].map(({ name, position }) => [name, position]),
    [
      ['pg_sleep', sql.indexOf('pg_sleep')],
      ['f', sql.indexOf('d.e.f')],
      ['a', sql.indexOf('a.b.c')],
      ['d', sql.indexOf('d.e.f')],
    ],
  )
})

test('what only shows at run time is said to', async () => {
  const dynamic: [string, boolean][] = [
    ['DO $$ BEGIN EXECUTE a; END $$', true],
    ['DO $$ BEGIN FOR r IN EXECUTE a LOOP END LOOP; END $$', true],
    [
      'CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE a; END $$',
      true,
    ],
    ["DO LANGUAGE plperl 'x'", true],
    ["CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'x', 'y'", true],
    ["CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'no SQL'", true],
    [
      'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a := now(); RETURN NEW; END $$',
      false,
    ],
  ]
  for (const [sql, expected] of dynamic) {
    const statement = await one(sql)
    assert.deepEqual([statement.dynamic.length > 0, statement.isOpaque], [expected, true], sql)
  }
})

test('only what may run in a read-only transaction counts as read-only', async () => {
  const reads: [string, boolean][] = [
    ['SELECT f() FROM t', true],
    ['EXPLAIN DELETE FROM t', true],
    ['EXPLAIN ANALYZE SELECT 1', true],
    ['SHOW ALL', true],
    ['EXPLAIN ANALYZE DELETE FROM t', false],
    ['SELECT * FROM t FOR SHARE', false],
    ['SELECT 1 INTO x', false],
    ['EXPLAIN EXECUTE p', false],
    ['CALL p()', false],
    ['SET a.b = 1', false],
  ]
  for (const [sql, expected] of reads) assert.equal((await one(sql)).isReadOnly, expected, sql)
})

test('statements that cannot run in a transaction are marked', async () => {
  const marked: [string, boolean][] = [
    ['CREATE INDEX CONCURRENTLY ON t (a)', true],
    ['CREATE INDEX ON t (a)', false],
    ['DROP INDEX CONCURRENTLY i', true],
    ['REINDEX (CONCURRENTLY) TABLE t', true],
    ['REINDEX TABLE t', false],
    ['VACUUM', true],
    ['ANALYZE', false],
    ['ALTER TABLE t DETACH PARTITION p CONCURRENTLY', true],
    ['CREATE DATABASE d', true],
    ['ALTER SYSTEM SET a = 1', true],
  ]
  for (const [sql, expected] of marked) assert.equal((await one(sql)).needsNoTransaction, expected, sql)
})

test('secrets are gone from a text that does not parse, however it quotes them', async () => {
  for (const [sql, safe] of [
    [`create role "bob password 'hunter2'`, 'create role …'],
    [`create role bob" password 'hunter2'`, 'create role bob…'],
    [`create user mapping for "a server s options (password 'hunter2')`, 'create user mapping for …'],
    [`alter role bob password 'abc\\'hunter2'`, "alter role bob password '…'"],
    [`alter role bob /* don't */ password 'hunter2' oops`, 'alter role bob …'],
    [`alter role bob password $é$hunter2$é$ oops`, "alter role bob password '…'"],
    [`alter role bob password hunter2 oops`, `alter role bob password '…' oops`],
  ] as const)
    await assert.rejects(classifier.classify(sql, 'execute'), (error: unknown) => {
      assert.equal((error as { safeText: string }).safeText, safe)
      return true
    })
})

test('secrets are gone from the normalized text', async () => {
  const secrets = [
    "CREATE ROLE r PASSWORD 'hunter2'",
    'ALTER USER r WITH ENCRYPTED PASSWORD $a$hunter2$a$',
    "CREATE USER MAPPING FOR PUBLIC SERVER s OPTIONS (user 'a', password 'hunter2')",
    "CREATE SUBSCRIPTION s CONNECTION 'password=hunter2' PUBLICATION p",
    "ALTER SYSTEM SET primary_conninfo = 'password=hunter2'",
    "SELECT dblink('password=hunter2', 'x')",
    "COPY t FROM PROGRAM 'curl -u me:hunter2 https://example.com'",
    'COPY (SELECT 1) TO PROGRAM $$curl -H x:hunter2 https://example.com$$',
    "DO $$ BEGIN ALTER ROLE r PASSWORD 'hunter2'; END $$",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT pgp_sym_encrypt('a', 'hunter2') $$",
  ]
  for (const sql of secrets) {
    const { carriesSecret, normalized } = await one(sql)
    assert.ok(carriesSecret && !normalized.includes('hunter2'), `${sql}: ${normalized}`)
  }
  await assert.rejects(
    classifier.classify("CREATE ROLE r PASSWORD 'hunter2' oops", 'execute'),
    (error: unknown) => {
      assert.match((error as { safeText: string }).safeText, /^CREATE ROLE r PASSWORD '…' oops$/)
      return true
    },
  )
  assert.equal((await one('DROP ROLE r')).carriesSecret, false)
})
