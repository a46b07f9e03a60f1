import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createCorpusDatabase, type CorpusDatabase } from '#test/sql-corpus'
import { createClassifier } from '../classify/create-classifier.ts'
import type { Query } from './fact-rows.ts'
import { readFacts, type Facts } from './facts.ts'
import { isForbidden } from './functions.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
let database: CorpusDatabase

before(async () => {
  database = await createCorpusDatabase()
  await database.administrator.query(`
    create view outer_view as select * from v_purge;
    create domain inner_domain as evil_dom;
    create table parent (id int, v text) partition by range (id);
    create foreign table child partition of parent for values from (0) to (9) server other;
    create operator || (leftarg = int, rightarg = int, function = op_evil);
    create function add(a int, b int) returns int language sql immutable as 'select a + b';
    create function twice(a int) returns int language plpgsql stable as $$ begin return add(a, a) + abs(a); end $$;
    create function peek() returns bigint language sql stable as 'select count(*) from v_purge';
    create function odd() returns int language plpgsql immutable as $$ begin execute 'select 1'; return 1; end $$;
    create function slow() returns int language sql stable as 'select 1 from pg_sleep(0)';
    create function own() returns int language sql stable security definer as 'select 1';
    create function step(int, int) returns int language plpgsql as $$ begin perform purge(); return 1; end $$;
    create aggregate evil_sum(int) (sfunc = step, stype = int);
    create aggregate good_sum(int) (sfunc = int4larger, stype = int);
    create schema hidden_away;
    create function hidden_away.lower(text) returns text language sql as 'select 1::text';
    create function poly(anyelement) returns int language plpgsql as $$ begin perform purge(); return 1; end $$;
    create type weight as (grams numeric);
    create function weigh(int) returns weight language plpgsql as $$ begin perform purge(); return row(1)::weight; end $$;
    create cast (int as weight) with function weigh(int);
    create type wrapped as (inner_value evil_dom);
    create view v_domain as select id::text::evil_dom from users;
    create view v_sleep as select pg_sleep(0)::text;
    create view v_settings as select * from pg_settings;
    create view v_outer_settings as select * from v_settings where name <> 'x';
    create view v_class as select * from pg_class;
    create view v_sessions as select pid, query from pg_stat_activity;
    create table signalbox_migrations (name text);
    create view v_migrations as select * from signalbox_migrations;
    create table ruled (id int);
    create rule also as on delete to ruled do also delete from orders;
    create view v_ruled as select * from ruled;
    create rule again as on update to users do also select purge()`)
})
after(async () => {
  await classifier.close()
  await database.close()
})

async function factsOf(sql: string): Promise<Facts> {
  const statements = await classifier.classify(sql, 'execute')
  const query: Query = async (text, values) => (await database.agent.query(text, values)).rows
  return readFacts(query, statements, (code) => classifier.classify(code, 'migrate'))
}

const hidden: [sql: string, expected: string[]][] = [
  ['SELECT * FROM users', []],
  ['SELECT * FROM orders', []],
  ['SELECT * FROM v_purge', ['v_purge: purge']],
  ['SELECT * FROM public.outer_view', ['outer_view: purge']],
  ['DROP VIEW v_purge', []],
  ['ALTER VIEW v_purge RENAME TO v', []],
  ['CREATE VIEW w AS SELECT * FROM v_purge', ['v_purge: purge']],
  ['UPDATE users SET id = 1', ['users: purge', 'users: rule']],
  ['SELECT * FROM ft_secrets', ['ft_secrets: foreign']],
  ['SELECT * FROM parent', ['parent: foreign']],
  ['TRUNCATE ft_secrets', ['ft_secrets: foreign']],
  ['SELECT 1 =!= 2', ['=!=: op_evil']],
  ['SELECT 1 OPERATOR(public.=!=) 2', ['=!=: op_evil']],
  ['SELECT 1 OPERATOR(hidden_away.=!=) 2', []],
  ["SELECT 'a' || 'b'", []],
  ['SELECT 1 OPERATOR(public.||) 2', ['||: op_evil']],
  ["SELECT 'x'::evil_dom", ['evil_dom: chk_evil']],
  ["SELECT CAST('{x}' AS inner_domain[])", ['inner_domain: chk_evil']],
  ['SELECT o.wipe, (o).wipe FROM orders o', ['wipe: wipe']],
  ['SELECT o.id FROM orders o', []],
  ['SELECT (o).poly FROM orders o', ['poly: poly']],
  ['SELECT o.poly FROM orders o', ['poly: poly']],
  ['SELECT (o).poly.id FROM orders o', ['poly: poly']],
  ['SELECT 1::weight', ['weight: cast weigh']],
  ["SELECT '{x}'::_evil_dom", ['_evil_dom: chk_evil']],
  ["SELECT '(x)'::wrapped", ['wrapped: chk_evil']],
  ["SELECT json_populate_record(NULL::wrapped, '{}')", ['wrapped: chk_evil']],
  ['SELECT * FROM v_domain', ['v_domain: chk_evil']],
  ['SELECT * FROM v_sleep', ['v_sleep: pg_sleep']],
  ['SELECT * FROM v_sessions', ['v_sessions: pg_stat_get_activity']],
  [
    "UPDATE v_settings SET setting = 'off'",
    ['v_settings: catalog', 'v_settings: rule', 'v_settings: set_config'],
  ],
  [
    "UPDATE v_outer_settings SET setting = 'off'",
    ['v_outer_settings: catalog', 'v_outer_settings: rule', 'v_outer_settings: set_config'],
  ],
  ['DELETE FROM v_class', ['v_class: catalog']],
  ['DELETE FROM v_migrations', ['v_migrations: catalog']],
  ['DELETE FROM v_ruled', ['v_ruled: rule']],
  ['INSERT INTO ruled VALUES (1)', ['ruled: rule']],
]

test('functions, servers, rules and catalogs behind views, operators, types, casts and attributes are found', async () => {
  for (const [sql, expected] of hidden) {
    const facts = await factsOf(sql)
    const found = facts.hidden
      .filter(({ calls }) => calls === null || calls.volatility === 'v' || isForbidden(calls.name))
      .map(({ reach, through, calls }) => [`${through}:`, reach, calls?.name].filter(isSaid).join(' '))
    assert.deepEqual([...new Set(found)].toSorted(), expected, sql)
  }
})

const isSaid = (word: string | undefined): boolean => word !== undefined && word !== 'function'

test('a volatile function behind a view that only calculates is known to be pure', async () => {
  await database.administrator.query(
    `create function half(a int) returns int language sql as 'select a / 2';
     create view v_half as select half(id) from orders`,
  )
  const { hidden: found } = await factsOf('SELECT * FROM v_half')
  assert.deepEqual(
    found.filter(({ calls }) => calls?.volatility === 'v').map(({ calls }) => [calls?.name, calls?.isPure]),
    [['half', true]],
  )
})

test('an implicit cast counts for every statement, and is pure if its function only calculates', async () => {
  await database.administrator.query(
    `create type shade as (name text);
     create function shade_of(int) returns shade language sql as $$ select row($1::text)::shade $$;
     create cast (int as shade) with function shade_of(int) as implicit`,
  )
  const casts = async (): Promise<unknown[]> =>
    (await factsOf('SELECT * FROM orders')).hidden
      .filter(({ reach }) => reach === 'cast')
      .map(({ calls }) => [calls?.name, calls?.isPure])
  assert.deepEqual(await casts(), [['shade_of', true]])
  await database.administrator.query(
    `create or replace function shade_of(int) returns shade language sql as $$ select row(purge()::text)::shade $$`,
  )
  assert.deepEqual(await casts(), [['shade_of', undefined]])
  await database.administrator.query('drop cast (int as shade)')
})

test('a field of a value may be a call, in statements and in code', async () => {
  await database.administrator.query(`
    create function wipe_one(int) returns int language plpgsql as $$ begin perform purge(); return 1; end $$;
    create function by_field(a int) returns int language sql stable as 'select a.wipe_one';
    create function by_row() returns int language sql stable as 'select g.wipe_one from generate_series(1, 1) g'`)
  for (const sql of [
    'SELECT (1).wipe_one',
    'SELECT ($1).wipe_one',
    'SELECT g.wipe_one FROM generate_series(1, 1) AS g (x)',
    'SELECT abs.wipe_one FROM abs(1)',
    'SELECT int4.wipe_one FROM CAST(1 AS int)',
  ]) {
    const { functions } = await factsOf(sql)
    assert.equal(functions.get('wipe_one')?.[0]?.takesOne, true, sql)
  }
  assert.equal((await factsOf('SELECT o.wipe_one FROM orders o')).functions.size, 0)
  const { functions } = await factsOf('SELECT by_field(1), by_row()')
  assert.deepEqual(
    [functions.get('by_field')?.[0]?.isPure, functions.get('by_row')?.[0]?.isPure],
    [false, false],
  )
})

test('functions come with schema, volatility and language, and whether their name alone may mean them', async () => {
  const { functions } = await factsOf("SELECT lower('A'), purge(), no_such_thing()")
  assert.deepEqual([...functions.keys()].toSorted(), ['lower', 'purge'])
  assert.deepEqual(
    functions
      .get('lower')
      ?.filter(({ language }) => language === 'sql')
      .map(({ schema, isVisible }) => [schema, isVisible]),
    [['hidden_away', false]],
  )
  assert.deepEqual(functions.get('purge'), [
    {
      schema: 'public',
      name: 'purge',
      volatility: 'v',
      isSecurityDefiner: false,
      language: 'plpgsql',
      isVisible: true,
      takesOne: false,
    },
  ])
})

test('code of users that only calculates and reads is found pure, whatever its label says', async () => {
  const { functions } = await factsOf(
    'SELECT add(1, 2), twice(1), peek(), odd(), slow(), own(), innocent(), innocent2(1), purge()',
  )
  const found = [...functions.values()].flat().map(({ name, isPure }) => `${name}: ${isPure ?? 'not read'}`)
  assert.deepEqual(found.toSorted(), [
    'add: true',
    'innocent2: false',
    'innocent: false',
    'odd: false',
    'own: not read',
    'peek: false',
    'purge: not read',
    'slow: false',
    'twice: true',
  ])
})

test('an aggregate is what its functions are', async () => {
  const { functions } = await factsOf('SELECT evil_sum(id), good_sum(id) FROM orders')
  const found = [...functions.values()].flat()
  assert.deepEqual(
    found.map(({ name, volatility, language }) => `${name} ${volatility} ${language}`).toSorted(),
    ['evil_sum v plpgsql', 'good_sum i internal'],
  )
})
