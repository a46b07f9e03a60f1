import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import type { Kind } from '../classify/classification.ts'
import { createClassifier } from '../classify/create-classifier.ts'
import { decide } from './decide.ts'
import type { Decision, FunctionFacts, HiddenReach, Policy } from './policy.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

const base: Policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE INDEX', 'CREATE TABLE'],
  requires_approval: ['DROP', 'TRUNCATE', 'ALTER TABLE'],
  environment: 'dev',
}

function fact(name: string, volatility: 'i' | 's' | 'v', more: Partial<FunctionFacts> = {}): FunctionFacts {
  return { schema: 'pg_catalog', name, volatility, isSecurityDefiner: false, language: 'internal', ...more }
}

const functions = Map.groupBy(
  [
    fact('lower', 'i'),
    fact('now', 's'),
    fact('random', 'v'),
    fact('nextval', 'v'),
    fact('pg_read_file', 'v'),
    fact('set_config', 'v'),
    fact('pg_input_is_valid', 's'),
    fact('domain_in', 's'),
    fact('database_to_xml', 's'),
    fact('purge', 'v', { schema: 'public', language: 'plpgsql' }),
    fact('pure', 'i', { schema: 'public', language: 'sql' }),
    fact('read', 's', { schema: 'public', language: 'sql', isPure: true }),
    fact('similarity', 'i', { schema: 'public', language: 'c' }),
    fact('random', 'v', { schema: 'mine', language: 'plpgsql', isVisible: false }),
    fact('crosstab', 's', { schema: 'public', language: 'c' }),
    fact('do_it', 'v', { schema: 'public', language: 'plpgsql' }),
  ],
  ({ name }) => name,
)

interface Given {
  sql: string
  policy?: Partial<Policy>
  kind?: Kind
  database?: string
  hidden?: HiddenReach[]
}

async function decisionOf({
  sql,
  policy,
  kind = 'execute',
  database = 'application',
  hidden,
}: Given): Promise<Decision> {
  const statements = await classifier.classify(sql, kind)
  const merged = { ...base, ...policy }
  return decide({ database, statements, policy: merged, kind, functions, ...(hidden ? { hidden } : {}) })
}

async function check(table: [expected: string, given: Given | string][]): Promise<void> {
  for (const [expected, given] of table) {
    const { decision, rule } = await decisionOf(typeof given === 'string' ? { sql: given } : given)
    assert.equal(`${decision} ${rule}`, expected, JSON.stringify(given))
  }
}

test('lists: an entry covers operations that begin with its words, approval wins, in neither is refused', () =>
  check([
    ['execute allowed', 'SELECT 1'],
    ['execute allowed', 'CREATE TABLE t (a int)'],
    ['execute allowed', 'WITH a AS (DELETE FROM t RETURNING 1) SELECT 1'],
    ['approve requires_approval', 'DROP TABLE t'],
    ['approve requires_approval', 'DROP MATERIALIZED VIEW v'],
    ['approve requires_approval', 'ALTER TABLE t ADD a int'],
    ['approve requires_approval', 'TRUNCATE t'],
    ['refuse operation_not_allowed', 'ALTER VIEW v RENAME TO w'],
    ['refuse operation_not_allowed', "CREATE TABLESPACE t LOCATION '/x'"],
    ['refuse operation_not_allowed', 'CREATE UNLOGGED SEQUENCE s'],
    ['refuse operation_not_allowed', 'EXPLAIN SELECT 1'],
    ['refuse operation_not_allowed', 'VACUUM t'],
    ['refuse operation_not_allowed', { sql: 'DELETE FROM t', policy: { allowed_operations: ['SELECT'] } }],
    [
      'refuse operation_not_allowed',
      { sql: 'WITH a AS (DELETE FROM t RETURNING 1) SELECT 1', policy: { allowed_operations: ['SELECT'] } },
    ],
    [
      'approve requires_approval',
      { sql: 'INSERT INTO t VALUES (1)', policy: { requires_approval: ['INSERT'] } },
    ],
    [
      'approve requires_approval',
      { sql: 'CREATE INDEX ON t (a)', policy: { requires_approval: ['CREATE'] } },
    ],
    ['refuse operation_not_allowed', { sql: 'SELECT 1', policy: { allowed_operations: [] } }],
    // One operation that needs approval does not open the door for another that is not allowed.
    [
      'refuse operation_not_allowed',
      {
        sql: 'WITH a AS (DELETE FROM t RETURNING 1) SELECT 1',
        policy: { allowed_operations: [], requires_approval: ['SELECT'] },
      },
    ],
  ]))

test('databases: one outside allowed_databases is refused, also when the text names another', () =>
  check([
    ['refuse database_not_allowed', { sql: 'SELECT 1', database: 'status' }],
    ['refuse database_not_allowed', { sql: 'SELECT 1', policy: { allowed_databases: [] } }],
    ['refuse cross_database', 'SELECT * FROM status.public.users'],
    ['refuse cross_database', 'SELECT status.public.lower(1)'],
    ['execute allowed', 'SELECT * FROM application.public.users'],
    ['refuse cross_database', { sql: 'DROP DATABASE status', policy: { allowed_operations: ['DROP'] } }],
  ]))

test('a call is one statement, a migration many, and nothing is none', () =>
  check([
    ['refuse several_statements', 'SELECT 1; SELECT 2'],
    ['execute allowed', { sql: 'SELECT 1; SELECT 2', kind: 'migrate' }],
    ['refuse no_statement', '-- nothing'],
    ['refuse no_statement', { sql: ' ; ', kind: 'migrate' }],
  ]))

test('a field of a value must pass as a call where there is such a function', () =>
  check([
    ['refuse function_forbidden', "SELECT ('/etc/passwd').pg_read_file"],
    ['refuse function_volatile', 'SELECT (1).nextval'],
    ['refuse function_not_allowed', 'SELECT g.purge FROM lower($$a$$) g'],
    ['execute allowed', { sql: 'SELECT (1).purge', policy: { allowed_functions: ['purge'] } }],
    ['execute allowed', "SELECT ('A').lower"],
    ['execute allowed', 'SELECT (address).city, (answer).http_status, t.purge FROM t'],
  ]))

test('environments: WHERE and approval as decided for staging and prod', () => {
  const staging = { environment: 'staging' } as const
  const prod = { environment: 'prod' } as const
  return check([
    ['execute allowed', 'DELETE FROM t'],
    ['approve without_where', { sql: 'DELETE FROM t', policy: staging }],
    ['approve without_where', { sql: 'UPDATE t SET a = (SELECT 1 WHERE true)', policy: staging }],
    [
      'approve without_where',
      { sql: 'WITH a AS (DELETE FROM t RETURNING 1) SELECT 1 WHERE true', policy: staging },
    ],
    ['execute allowed', { sql: 'DELETE FROM t WHERE a = 1', policy: staging }],
    ['execute allowed', { sql: 'CREATE TABLE t (a int)', policy: staging }],
    ['execute allowed', { sql: 'CREATE TABLE t (a int)', kind: 'migrate', policy: staging }],
    ['execute allowed', { sql: 'SELECT 1', policy: prod }],
    ['execute allowed', { sql: 'INSERT INTO t VALUES (1)', policy: prod }],
    ['execute allowed', { sql: 'UPDATE t SET a = 1 WHERE b = 2', policy: prod }],
    ['approve without_where', { sql: 'UPDATE t SET a = 1', policy: prod }],
    ['approve prod_write', { sql: 'CREATE TABLE t (a int)', policy: prod }],
    ['approve prod_write', { sql: 'CREATE INDEX ON t (a) WHERE a > 1', policy: prod }],
    ['approve prod_migration', { sql: 'INSERT INTO t VALUES (1)', kind: 'migrate', policy: prod }],
    ['refuse operation_not_allowed', { sql: 'GRANT SELECT ON t TO u', policy: prod }],
    [
      'approve requires_approval',
      { sql: 'DELETE FROM t WHERE a = 1', policy: { ...prod, requires_approval: ['DELETE'] } },
    ],
  ])
})

const everything = {
  allowed_operations:
    `SET RESET BEGIN COMMIT ROLLBACK SAVEPOINT RELEASE PREPARE EXECUTE DEALLOCATE DECLARE FETCH MOVE
    CLOSE LISTEN UNLISTEN NOTIFY LOCK DISCARD LOAD COPY ALTER CREATE DROP DO CALL EXPLAIN SELECT DELETE UPDATE INSERT
    VACUUM REINDEX START`.split(/\s+/),
  requires_approval: [],
}

test('in staging and prod a WHERE that is true for every row counts as none', async () => {
  const always = [
    'true',
    '1 = 1',
    "'a' = 'a' AND 2 > 1",
    '$1',
    'id = id',
    't.id >= t.id',
    'id IS NOT DISTINCT FROM id',
    'id = 1 OR true',
    'id IS NULL OR id IS NOT NULL',
    'done OR NOT done',
    "name LIKE '%'",
    'NOT false',
    'EXISTS (SELECT 1)',
    'coalesce(true, done)',
    'now() IS NOT NULL',
  ]
  const chosen = [
    'id = 1',
    'id = $1',
    'id = other',
    'done',
    "name LIKE 'a%'",
    'id = 1 AND true',
    'id IS NULL OR other IS NOT NULL',
    'id IN (SELECT id FROM u)',
    'NOT done',
    'id <> id + 1',
  ]
  for (const environment of ['staging', 'prod', 'dev'] as const) {
    const waits = environment === 'dev' ? 'execute allowed' : 'approve without_where'
    const policy = { environment }
    for (const write of ['DELETE FROM t', 'UPDATE t SET a = 1']) {
      await check(always.map((where) => [waits, { sql: `${write} WHERE ${where}`, policy }]))
      await check(chosen.map((where) => ['execute allowed', { sql: `${write} WHERE ${where}`, policy }]))
    }
  }
  const merge = (on: string): Given => ({
    sql: `MERGE INTO t USING u ON ${on} WHEN MATCHED THEN DELETE`,
    policy: { environment: 'staging', allowed_operations: ['MERGE', 'DELETE'] },
  })
  await check([
    ['approve without_where', merge('true')],
    ['execute allowed', merge('t.id = u.id')],
  ])
})

test('some things no policy can allow', () =>
  check(
    (
      [
        ['transaction_control', 'BEGIN'],
        ['transaction_control', 'START TRANSACTION'],
        ['transaction_control', 'COMMIT'],
        ['transaction_control', 'ABORT'],
        ['transaction_control', 'ROLLBACK TO a'],
        ['transaction_control', 'SAVEPOINT a'],
        ['transaction_control', "PREPARE TRANSACTION 'a'"],
        ['transaction_control', "COMMIT PREPARED 'a'"],
        ['transaction_control', 'SET TRANSACTION READ WRITE'],
        ['transaction_control', 'DO $$ BEGIN COMMIT; END $$'],
        ['session_change', 'SET statement_timeout = 0'],
        ['session_change', 'SET LOCAL ROLE postgres'],
        ['session_change', 'RESET ALL'],
        ['session_change', 'PREPARE a AS SELECT 1'],
        ['session_change', 'EXECUTE a'],
        ['session_change', 'EXPLAIN EXECUTE a'],
        ['session_change', 'CREATE TABLE t AS EXECUTE a'],
        ['session_change', 'DEALLOCATE ALL'],
        ['session_change', 'DECLARE c CURSOR FOR SELECT 1'],
        ['session_change', 'LISTEN a'],
        ['session_change', 'DISCARD ALL'],
        ['session_change', "LOAD 'x'"],
        ['session_change', 'DO $$ BEGIN SET LOCAL statement_timeout = 0; END $$'],
        ['notification', 'NOTIFY a'],
        ['table_lock', 'LOCK t'],
        ['file_or_program', "COPY t TO PROGRAM 'id'"],
        ['file_or_program', "COPY t FROM '/etc/passwd'"],
        ['copy_stream', 'COPY t TO STDOUT'],
        ['cross_database', 'CREATE DATABASE d'],
        ['server_settings', "ALTER SYSTEM SET archive_command = 'x'"],
      ] as const
    ).map(([rule, sql]) => [`refuse ${rule}`, { sql, policy: everything }]),
  ))

test('functions: volatile ones need the policy, forbidden ones never run', () =>
  check([
    ['execute allowed', 'SELECT lower(a), now(), random() FROM t'],
    ['refuse function_volatile', "SELECT nextval('s')"],
    ['execute allowed', { sql: "SELECT nextval('s')", policy: { allowed_functions: ['nextval'] } }],
    ['refuse function_forbidden', "SELECT pg_read_file('x')"],
    [
      'refuse function_forbidden',
      { sql: "SELECT pg_read_file('x')", policy: { allowed_functions: ['pg_read_file'] } },
    ],
    ['refuse function_forbidden', "SELECT set_config('a', 'b', false)"],
    ['refuse function_forbidden', "SELECT database_to_xml(true, true, '')"],
    [
      'refuse function_forbidden',
      { sql: "SELECT crosstab('x')", policy: { allowed_functions: ['public.crosstab'] } },
    ],
    ['refuse function_not_allowed', 'SELECT purge()'],
    ['refuse function_not_allowed', 'SELECT pure()'],
    ['execute allowed', 'SELECT read()'],
    ['execute allowed', { sql: 'SELECT pure()', policy: { allowed_functions: ['public.pure'] } }],
    ['refuse function_not_allowed', { sql: 'SELECT pure()', policy: { allowed_functions: ['other.pure'] } }],
    ['execute allowed', 'SELECT similarity(a, b) FROM t'],
    ['refuse function_not_allowed', 'SELECT mine.random()'],
    ['refuse function_unknown', 'SELECT no_such_thing()'],
    ['refuse function_unknown', 'SELECT pg_temp.lower()'],
    ['refuse function_not_allowed', { sql: 'CALL do_it()', policy: { allowed_operations: ['CALL'] } }],
    [
      'execute allowed',
      { sql: 'CALL do_it()', policy: { allowed_operations: ['CALL'], allowed_functions: ['do_it'] } },
    ],
    ['refuse function_not_allowed', { sql: 'DO $$ BEGIN PERFORM purge(); END $$', policy: everything }],
  ]))

test('catalogs with secrets are refused, tables of the same name in other schemas are not', () =>
  check([
    ['refuse secret_catalog', 'SELECT * FROM pg_authid'],
    ['refuse secret_catalog', 'SELECT * FROM pg_catalog.pg_shadow'],
    ['refuse secret_catalog', 'WITH pg_shadow AS (SELECT * FROM pg_shadow) SELECT * FROM pg_shadow'],
    ['refuse secret_catalog', 'TABLE pg_largeobject'],
    ['refuse secret_catalog', 'SELECT * FROM information_schema.user_mapping_options'],
    ['execute allowed', 'SELECT * FROM public.pg_shadow'],
    ['execute allowed', 'SELECT * FROM pg_class'],
  ]))

test('functions and servers that views, operators and casts hide count', () => {
  const purge = fact('purge', 'v', { schema: 'public', language: 'plpgsql' })
  const reach = (calls: FunctionFacts): HiddenReach[] => [
    { reach: 'function', through: 'v', position: 14, calls },
  ]
  const cast = (calls: FunctionFacts): HiddenReach[] => [{ ...reach(calls)[0]!, reach: 'cast' }]
  const sql = 'SELECT * FROM v'
  const policy = { allowed_functions: ['purge'] }
  return check([
    ['refuse hidden_function', { sql, hidden: reach(purge) }],
    ['execute allowed', { sql, hidden: reach(purge), policy }],
    ['execute allowed', { sql, hidden: reach({ ...purge, isPure: true }) }],
    ['execute allowed', { sql, hidden: reach({ ...purge, volatility: 's' }) }],
    [
      'refuse hidden_function',
      { sql, hidden: reach(fact('set_config', 'v')), policy: { allowed_functions: ['set_config'] } },
    ],
    ['approve volatile_cast', { sql, hidden: cast(purge) }],
    ['execute allowed', { sql, hidden: cast(purge), policy }],
    ['execute allowed', { sql, hidden: cast({ ...purge, volatility: 'i' }) }],
    [
      'refuse foreign_table',
      { sql, hidden: [{ reach: 'foreign', through: 'v', position: 14, calls: null }] },
    ],
  ])
})

test('catalogs, targets with rules and the list of migrations are not written by anyone', () => {
  const write = {
    allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CREATE'],
    requires_approval: ['DROP', 'TRUNCATE', 'ALTER'],
  }
  const leads = (reach: HiddenReach['reach']): HiddenReach[] => [
    { reach, through: 'v', position: 7, calls: null },
  ]
  const sql = 'UPDATE v SET a = 1'
  return check([
    ['refuse catalog_write', { sql: "UPDATE pg_settings SET setting = 'off'", policy: write }],
    ['refuse catalog_write', { sql: "UPDATE pg_catalog.pg_settings SET setting = 'off'", policy: write }],
    [
      'refuse catalog_write',
      { sql: "WITH a AS (UPDATE pg_settings SET setting = 'off') SELECT 1", policy: write },
    ],
    [
      'refuse catalog_write',
      { sql: 'MERGE INTO pg_settings USING t ON true WHEN MATCHED THEN DELETE', policy: write },
    ],
    [
      'refuse catalog_write',
      { sql: 'INSERT INTO information_schema.sql_features VALUES (1)', policy: write },
    ],
    [
      'refuse catalog_write',
      { sql: 'DO $$ BEGIN DELETE FROM pg_class; END $$', policy: { allowed_operations: ['DO', 'DELETE'] } },
    ],
    ['refuse catalog_write', { sql: 'DROP VIEW pg_settings', policy: write }],
    ['execute allowed', { sql: 'UPDATE public.pg_notes SET a = 1', policy: write }],
    ['refuse migration_list', { sql: 'DELETE FROM signalbox_migrations', policy: write }],
    ['refuse migration_list', { sql: 'INSERT INTO records.signalbox_migrations VALUES (1)', policy: write }],
    ['refuse migration_list', { sql: 'DROP TABLE public.signalbox_migrations', policy: write }],
    ['execute allowed', 'SELECT * FROM signalbox_migrations'],
    ['refuse rule_target', { sql, hidden: leads('rule') }],
    ['refuse catalog_write', { sql, hidden: leads('catalog') }],
  ])
})

test('functions whose arguments name a type, and code with settings of its own, need a person', () =>
  check([
    ['approve dynamic_sql', "SELECT pg_input_is_valid('x', 'evil_dom')"],
    ['approve dynamic_sql', "SELECT domain_in('x', 16400, -1)"],
    [
      'approve dynamic_sql',
      {
        sql: "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET standard_conforming_strings = off AS 'SELECT 1'",
        policy: everything,
      },
    ],
    ['approve dynamic_sql', { sql: 'ALTER FUNCTION f() SET search_path = evil', policy: everything }],
  ]))

test('bodies: what can be read in them is judged, what cannot needs a person', () =>
  check([
    ['execute allowed', { sql: 'DO $$ BEGIN DELETE FROM t; END $$', policy: everything }],
    ['refuse operation_not_allowed', { sql: 'DO $$ BEGIN TRUNCATE t; END $$', policy: everything }],
    ['approve dynamic_sql', { sql: "DO $$ BEGIN EXECUTE 'x'; END $$", policy: everything }],
    [
      'approve dynamic_sql',
      { sql: "CREATE FUNCTION f() RETURNS int LANGUAGE plperl AS 'x'", policy: everything },
    ],
    ['approve dynamic_sql', { sql: 'DO $$ this is no code $$', policy: everything }],
  ]))

test('locking rows asks for what UPDATE would', () =>
  check([
    ['execute allowed', 'SELECT * FROM t FOR UPDATE'],
    [
      'refuse operation_not_allowed',
      { sql: 'SELECT * FROM t FOR SHARE', policy: { allowed_operations: ['SELECT'] } },
    ],
    [
      'approve requires_approval',
      { sql: 'SELECT * FROM t FOR UPDATE', policy: { requires_approval: ['UPDATE'] } },
    ],
  ]))

test('migrations: what cannot run in a transaction is refused with that reason', () =>
  check([
    ['refuse not_transactional', { sql: 'CREATE INDEX CONCURRENTLY ON t (a)', kind: 'migrate' }],
    ['execute allowed', { sql: 'CREATE INDEX ON t (a)', kind: 'migrate' }],
  ]))

test('a decision says where, why and what would be needed', async () => {
  const sql = 'WITH x AS (DELETE FROM t RETURNING 1) SELECT 1'
  const decision = await decisionOf({ sql, policy: { allowed_operations: ['SELECT'] } })
  assert.deepEqual(decision, {
    decision: 'refuse',
    rule: 'operation_not_allowed',
    message: 'DELETE is in neither allowed_operations nor requires_approval of the policy.',
    position: sql.indexOf('DELETE'),
    needed: 'Add DELETE to allowed_operations or requires_approval.',
  })
})
