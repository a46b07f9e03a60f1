import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createCorpusDatabase, type CorpusDatabase } from '#test/sql-corpus'
import { createClassifier } from '../classify/create-classifier.ts'
import { readFacts, type Facts } from './facts.ts'

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
    create schema hidden_away;
    create function hidden_away.lower(text) returns text language sql as 'select 1::text';
    create rule again as on update to users do also select purge()`)
})
after(async () => {
  await classifier.close()
  await database.close()
})

async function factsOf(sql: string): Promise<Facts> {
  const statements = await classifier.classify(sql, 'execute')
  return readFacts(async (text, values) => (await database.agent.query(text, values)).rows, statements)
}

const hidden: [sql: string, expected: string[]][] = [
  ['SELECT * FROM users', []],
  ['SELECT * FROM orders', []],
  ['SELECT * FROM v_purge', ['v_purge: purge']],
  ['SELECT * FROM public.outer_view', ['outer_view: purge']],
  ['DROP VIEW v_purge', []],
  ['ALTER VIEW v_purge RENAME TO v', []],
  ['CREATE VIEW w AS SELECT * FROM v_purge', ['v_purge: purge']],
  ['UPDATE users SET id = 1', ['users: purge']],
  ['SELECT * FROM ft_secrets', ['ft_secrets: another server']],
  ['SELECT * FROM parent', ['parent: another server']],
  ['TRUNCATE ft_secrets', ['ft_secrets: another server']],
  ['SELECT 1 =!= 2', ['=!=: op_evil']],
  ['SELECT 1 OPERATOR(public.=!=) 2', ['=!=: op_evil']],
  ['SELECT 1 OPERATOR(hidden_away.=!=) 2', []],
  ["SELECT 'a' || 'b'", []],
  ['SELECT 1 OPERATOR(public.||) 2', ['||: op_evil']],
  ["SELECT 'x'::evil_dom", ['evil_dom: chk_evil']],
  ["SELECT CAST('{x}' AS inner_domain[])", ['inner_domain: chk_evil']],
  ['SELECT o.wipe, (o).wipe FROM orders o', ['wipe: wipe']],
  ['SELECT o.id FROM orders o', []],
]

test('functions and servers behind views, rules, partitions, operators, domains and attributes are found', async () => {
  for (const [sql, expected] of hidden) {
    const facts = await factsOf(sql)
    const found = facts.hidden.map(({ through, calls }) => `${through}: ${calls?.name ?? 'another server'}`)
    assert.deepEqual([...new Set(found)], expected, sql)
  }
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
    },
  ])
})
