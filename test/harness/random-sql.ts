/** Random statements from pieces of the grammar, and disguises that do not change what they are. */

export interface Random {
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number
  pick<T>(items: readonly T[]): T
}

/** Mulberry32: the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('Nothing to choose from')
      return item
    },
  }
}

/** A piece of a statement: keywords and signs as they are, names to be quoted, texts to be written as strings. */
export type Token = { word: string } | { name: string } | { text: string }

const word = (text: string): Token[] => text.split(' ').map((part) => ({ word: part }))
const name = (text: string): Token[] => [{ name: text }]

const tables = [
  'users',
  'users',
  'orders',
  'orders',
  'users',
  'mv_users',
  'v_purge',
  'ft_secrets',
  'pg_authid',
]
const columns = ['id', 'email', 'amount', 'user_id']
const functions = [
  'lower',
  'count',
  'purge',
  'pg_sleep',
  'now',
  'random',
  'pg_read_file',
  'nextval',
  'set_config',
]

type Make = (random: Random, depth: number) => Token[]

const value: Make = (random, depth) => {
  const makes: Make[] = [
    () => word(String(random.below(100))),
    () => [{ text: random.pick(['a', 'DELETE FROM users; --', "it's", '/* x', '$$', 'é']) }],
    () => name(random.pick(columns)),
    () => [...name(random.pick(functions)), ...word('('), ...value(random, depth + 1), ...word(')')],
    () => [...word('( SELECT'), ...value(random, depth + 1), ...word(')')],
    () => [
      ...value(random, depth + 1),
      ...word(random.pick(['+', '||', '=', '<', 'AND', 'IN ('])),
      ...value(random, depth + 1),
    ],
    () => [
      ...word('CASE WHEN'),
      ...value(random, depth + 1),
      ...word('THEN'),
      ...value(random, depth + 1),
      ...word('END'),
    ],
    () => [...word('ARRAY ['), ...value(random, depth + 1), ...word(']')],
  ]
  const tokens = (depth > 3 ? random.pick(makes.slice(0, 3)) : random.pick(makes))(random, depth)
  // IN needs its bracket closed.
  const opened = tokens.filter((token) => 'word' in token && token.word === '(').length
  const closed = tokens.filter((token) => 'word' in token && token.word === ')').length
  return [...tokens, ...Array.from({ length: Math.max(0, opened - closed) }, () => ({ word: ')' }))]
}

const where: Make = (random, depth) =>
  random.below(2) === 0 ? [] : [...word('WHERE'), ...value(random, depth)]

const select: Make = (random, depth) => [
  ...word('SELECT'),
  ...value(random, depth),
  ...word('FROM'),
  ...(depth < 2 && random.below(3) === 0
    ? [...word('('), ...select(random, depth + 1), ...word(') AS'), ...name('s')]
    : name(random.pick(tables))),
  ...where(random, depth),
  ...(random.below(8) === 0 ? [...word('UNION ALL'), ...select(random, depth + 1)] : []),
  ...(depth === 0 && random.below(10) === 0 ? word('FOR UPDATE') : []),
]

const write: Make = (random, depth) =>
  random.pick<Make>([
    () => [...word('DELETE FROM'), ...name(random.pick(tables)), ...where(random, depth)],
    () => [
      ...word('UPDATE'),
      ...name(random.pick(tables)),
      ...word('SET'),
      ...name('email'),
      ...word('='),
      ...value(random, depth),
      ...where(random, depth),
    ],
    () => [
      ...word('INSERT INTO'),
      ...name(random.pick(tables)),
      ...word('('),
      ...name('id'),
      ...word(') VALUES ('),
      ...value(random, depth),
      ...word(')'),
    ],
    () => [
      ...word('INSERT INTO'),
      ...name(random.pick(tables)),
      ...word('('),
      ...name('id'),
      ...word(')'),
      ...select(random, depth + 1),
    ],
  ])(random, depth)

const withQuery: Make = (random) => [
  ...word('WITH'),
  ...name('w'),
  ...word('AS ('),
  ...random.pick([select, write])(random, 1),
  ...word(')'),
  ...random.pick([select, write])(random, 1),
]

const definition: Make = (random) =>
  random.pick<Make>([
    () => [...word('DROP TABLE IF EXISTS'), ...name(random.pick(tables))],
    () => [...word('CREATE TABLE'), ...name('made'), ...word('AS'), ...select(random, 1)],
    () => [
      ...word('CREATE INDEX ON'),
      ...name(random.pick(tables)),
      ...word('('),
      ...name(random.pick(columns)),
      ...word(')'),
    ],
    () => [
      ...word('ALTER TABLE'),
      ...name(random.pick(tables)),
      ...word('DROP COLUMN'),
      ...name(random.pick(columns)),
    ],
    () => [...word('TRUNCATE'), ...name(random.pick(tables))],
    () => [...word('SET'), ...name('search_path'), ...word('='), ...name('evil')],
    () => [...word('COPY'), ...name(random.pick(tables)), ...word('TO PROGRAM'), { text: 'id' }],
    () => [...word('CREATE VIEW'), ...name('made'), ...word('AS'), ...select(random, 1)],
    () => word('COMMIT'),
    () => [...word('NOTIFY'), ...name('jobs')],
    () => [...word('LOCK TABLE'), ...name(random.pick(tables))],
  ])(random, 0)

const explain: Make = (random) => [
  ...word(random.pick(['EXPLAIN', 'EXPLAIN ANALYZE', 'EXPLAIN ( ANALYZE off )'])),
  ...random.pick([select, write])(random, 1),
]

/** Any statement; most parse, and those that do are mostly wrong about types, which the parser does not know. */
export function randomStatement(random: Random): Token[] {
  return random.pick([select, select, write, withQuery, definition, explain])(random, 0)
}

/** The usual spelling. */
export function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('word' in token) return token.word
      return 'name' in token ? token.name : `'${token.text.replaceAll("'", "''")}'`
    })
    .join(' ')
}

const gaps = [
  ' ',
  '\n',
  '\t',
  ' \r\n',
  '\f',
  '\v',
  '/**/',
  ' /* DELETE FROM users; */ ',
  '/* a /* b */ c */',
  ' -- ; DROP\n',
  ' --x\r',
]

/** Another spelling of the same: comments and space between, letters in either case, quotes of every kind. */
export function disguise(tokens: readonly Token[], random: Random): string {
  const spell = (token: Token): string => {
    if ('word' in token)
      return token.word.replaceAll(/./g, (c) => (random.below(2) === 0 ? c.toLowerCase() : c))
    return 'name' in token ? spellName(token.name, random) : spellText(token.text, random)
  }
  const text = tokens.map((token) => random.pick(gaps) + spell(token)).join(' ')
  return text + random.pick(['', ' ;', '; -- end', ' /* end */'])
}

function spellName(text: string, random: Random): string {
  const escaped = text.replaceAll(/./g, (c) =>
    random.below(3) === 0 ? `\\00${c.charCodeAt(0).toString(16)}` : c,
  )
  return random.pick([text, text.toUpperCase(), `"${text}"`, `U&"${escaped}"`])
}

function spellText(text: string, random: Random): string {
  const doubled = text.replaceAll("'", "''")
  return random.pick([
    `'${doubled}'`,
    `E'${doubled.replaceAll('\\', '\\\\')}'`,
    `$q$${text}$q$`,
    `U&'${doubled}'`,
  ])
}
