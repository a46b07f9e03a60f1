import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs } from '#test/time'
import { mask } from './index.ts'
import { ordinary, texts, tokens } from '#test/secrets'

const hidden = '[masked]'

/** How a text gets into events, transcripts and logs. */
const places: Record<string, (text: string) => string> = {
  alone: (text) => text,
  'in a line of a text': (text) => `before\n${text}\nafter`,
  'in JSON': (text) => JSON.stringify({ type: 'user', content: `before\n${text}\nafter` }),
  'in JSON within JSON': (text) => JSON.stringify({ arguments: JSON.stringify({ cmd: `x\n${text}` }) }),
}

for (const [place, put] of Object.entries(places)) {
  test(`every format of a token is masked ${place}, and only its beginning stays`, () => {
    for (const [kind, beginning, rest] of tokens) {
      for (const text of [
        `use ${beginning}§ please`,
        `"${beginning}§"`,
        `key=${beginning}§`,
        `${beginning}§`,
      ]) {
        const result = mask(put(text.replace('§', () => rest)))
        assert.ok(!result.includes(rest.slice(-12)), `${kind} ${place}: ${result}`)
        assert.ok(result.includes(hidden), `${kind} ${place}: ${result}`)
        assert.equal(mask(result), result, `${kind} ${place}: a second time changes nothing`)
        if (place.includes('JSON')) JSON.parse(result)
      }
    }
  })

  test(`passwords and keys are masked ${place} as programs write them, and all around them stays`, () => {
    for (const [text, secret] of texts) {
      const result = mask(put(text.replace('§', () => secret)))
      assert.equal(result, put(text.replace('§', hidden)))
      assert.equal(mask(result), result, `${text}: a second time changes nothing`)
    }
  })

  test(`code, prose, ids and placeholders stay as they are ${place}`, () => {
    for (const text of ordinary) assert.equal(mask(put(text)), put(text))
  })
}

test('a token is masked in the colours of a terminal, as a name and in a text that was cut', () => {
  for (const [kind, beginning, rest] of tokens) {
    const token = beginning + rest
    for (const text of [
      JSON.stringify({ stdout: `\u001b[32m${token}\u001b[0m` }),
      JSON.stringify({ [token]: 1 }),
      `{"content":"${token} and`,
    ])
      assert.ok(!mask(text).includes(rest.slice(-12)), `${kind}: ${mask(text)}`)
  }
})

test('a private key whose end is missing is masked up to the end of its string', () => {
  const line = JSON.stringify({ a: 'x -----BEGIN PRIVATE KEY-----\nMIIE"abc\n', b: 'stays' })
  assert.deepEqual(JSON.parse(mask(line)), { a: `x -----BEGIN PRIVATE KEY-----${hidden}"abc\n`, b: 'stays' })
})

test('a value that was found is masked where the text repeats it', () => {
  assert.equal(
    mask('API_TOKEN=abc12345xyz then abc12345xyz alone'),
    `API_TOKEN=${hidden} then ${hidden} alone`,
  )
})

/** Parts of what the mask looks for, which hostile texts repeat. */
const parts = [
  ...['-', '\\', '{', '=', ' ', '"', "'", '@', '/', ':', 'a', '7', '.', '\n', '\\n', '\\"', '--key', ' -u'],
  ...[
    'key: ',
    'key=',
    'token=',
    'TOKEN=',
    'token="',
    "password '",
    'password=a;',
    '://a:',
    '://a:b/',
    '?key=',
    '<token>',
  ],
  ...[
    'sk-',
    '.sk-7',
    'eyJ',
    'eyJaaaaaaaa.',
    '.eyJaaaaaaaa',
    '-----BEGIN PRIVATE KEY-----',
    'login a password ',
    'identified by ',
  ],
  ...[
    'cookie: a=',
    'cookie: a=bbbbbb;',
    'curl ',
    'curl -u a:',
    'mysql -p',
    'docker login -p ',
    'authorization: basic ',
  ],
  ...[
    'basic YTpi ',
    ':5432:a:',
    '$2b$',
    'a_token=abcdefg1 ',
    '"signature":"',
    '"kty":"d":"',
    'Private-Lines: 1\n',
    'securestring ',
  ],
  ...tokens.map(([, beginning]) => beginning),
]

test('hostile texts cost linear time: eight times the length takes about eight times the time, not sixty-four', async () => {
  const took = async (length: number): Promise<number> =>
    processorMs(() => {
      for (const part of parts) mask(part.repeat(Math.ceil(length / part.length)))
    })
  await took(10_000)
  const [short, long] = [await took(50_000), await took(400_000)]
  assert.ok(long < 24 * short, `${short} ms, and ${long} ms for eight times the length`)
})

test('many different secrets in one text cost linear time', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `token=abcdefg${index}z`).join(' ')
  const ms = await processorMs(() => void mask(text))
  assert.ok(ms < 10_000, `${ms} ms`)
})

test('a value of many megabytes is masked as a whole', () => {
  const long = `7${'a'.repeat(8_000_000)}`
  for (const before of ['token: ', 'API_TOKEN=', 'sk-', 'authorization: bearer '])
    assert.equal(mask(`${before}${long}`), `${before}${hidden}`)
})

test('JSON stays JSON, whatever its strings, names and numbers are', () => {
  const pieces = [
    ...parts,
    ...ordinary,
    ...texts.flat(),
    'token',
    'password',
    'u00411234',
    '1fabcdef1',
    '\u001fabcdef1',
    '\\',
  ]
  let state = 11
  const any = <T>(values: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return values[Math.floor(state / 1_024) % values.length] as T
  }
  const text = (): string =>
    Array.from({ length: any([1, 2, 3, 5]) }, () => any(pieces)).join(any(['', ' ', '"', '\n', '=']))
  for (let round = 0; round < 3_000; round++) {
    const value = {
      [text()]: text(),
      [any(['token', 'password', 'API_KEY'])]: any([1.234567e25, -1.5e-10, true, null, [text()]]),
    }
    const line = JSON.stringify({ ...value, nested: JSON.stringify(value) })
    assert.doesNotThrow(() => JSON.parse(mask(line)), line)
  }
})
