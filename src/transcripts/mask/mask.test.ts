import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { processorMs } from '#test/time'
import { cutImages, maskSecrets } from './index.ts'

/** Made of parts, so that no scanner takes this file for a leak. */
const digits = '0123456789abcdef'
const secrets: Record<string, string> = {
  'a key of Anthropic': `sk-ant-api03-${digits}${digits}-AA`,
  'a key of OpenAI': `sk-proj-${digits}_${digits}`,
  'an old key of OpenAI': `sk-${digits}${digits}${digits}`,
  'one of our own keys': `sb-Ab3${digits}${digits}`,
  'a key of Google': `AIzaSy${digits}${digits}x`,
  'a key of Groq': `gsk_${digits}${digits}`,
  'a key of xAI': `xai-${digits}${digits}`,
  'a key of Perplexity': `pplx-${digits}${digits}`,
  'a token of GitHub': `ghp_${digits}${digits}abcd`,
  'a fine-grained token of GitHub': `github_pat_11ABC_${digits}${digits}`,
  'a token of GitLab': `glpat-${digits}xyz`,
  'an access key of AWS': 'AKIAIOSFODNN7EXAMPLE',
  'a token of Slack': `xoxb-1234567890-${digits}`,
  'a key of Stripe': `sk_live_${digits}`,
  'a token of npm': `npm_${digits}${digits}abcd`,
  'a token of Hugging Face': `hf_${digits}${digits}`,
  'a token of Telegram': `:AA${digits}${digits}x`,
  'a JSON Web Token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${digits}_-`,
}

/** Where a secret appears in the lines of assistants: `§` is its place. */
const places: Record<string, (text: string) => string> = {
  'in a text': (text) => JSON.stringify({ type: 'user', message: { content: `use ${text} please` } }),
  'at the start of a line in a text': (text) => JSON.stringify({ content: `a\n${text}\nb` }),
  'in JSON within JSON': (text) => JSON.stringify({ arguments: JSON.stringify({ cmd: `x\n"${text}"` }) }),
  'in the colours of a terminal': (text) => JSON.stringify({ stdout: `\u001b[32m${text}\u001b[0m` }),
  'as a name': (text) => JSON.stringify({ [text]: 1 }),
  'in a line that was cut': (text) => `{"type":"user","message":{"content":"${text} and`,
}

for (const [name, secret] of Object.entries(secrets)) {
  test(`${name} is masked wherever it is, and the JSON stays JSON`, () => {
    const whole = secret.startsWith(':') ? `12345678${secret}` : secret
    for (const [place, line] of Object.entries(places)) {
      const before = line(whole)
      const masked = maskSecrets(before)
      assert.ok(!masked.includes(secret.slice(-12)), `${place}: ${masked}`)
      assert.match(masked, /\[masked\]/, place)
      if (!place.includes('cut')) assert.doesNotThrow(() => JSON.parse(masked), place)
      assert.equal(maskSecrets(masked), masked, 'a second time changes nothing')
    }
  })
}

const textCases: [before: string, after: string][] = [
  ['DB_PASSWORD=hunter2!x, really\nPORT=8000', 'DB_PASSWORD=[masked] really\nPORT=8000'],
  ['export STRIPE_KEY="abc def"', 'export STRIPE_KEY="abc def"'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPx', 'AWS_SECRET_ACCESS_KEY=[masked]'],
  ['password: "hunter2"', 'password: "[masked]"'],
  [`'apiKey': '${digits}'`, `'apiKey': '[masked]'`],
  ['{"client_secret":"Zq8~abcdefgh"}', '{"client_secret":"[masked]"}'],
  ['psql postgres://app:s3cr3t@db:5432/shop', 'psql postgres://app:[masked]@db:5432/shop'],
  ['curl -H "Authorization: Bearer abcdef123456"', 'curl -H "Authorization: Bearer [masked]"'],
  ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [masked]'],
  ['x-api-key: abcdef123456', 'x-api-key: [masked]'],
  ['GET /v1?key=abcdef123456&alt=sse', 'GET /v1?key=[masked]&alt=sse'],
  ['deploy --token abcdef123456 now', 'deploy --token [masked] now'],
  [
    `-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY----- after`,
    '-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY----- after',
  ],
  ['API_TOKEN=abc12345xyz then abc12345xyz alone', 'API_TOKEN=[masked] then [masked] alone'],
]

test('values of assignments, headers, addresses and private keys are masked, what is around them stays', () => {
  for (const [before, after] of textCases) {
    const masked = maskSecrets(JSON.stringify({ content: before }))
    assert.deepEqual(JSON.parse(masked), { content: after })
    assert.equal(maskSecrets(masked), masked)
  }
})

test('a private key whose end is missing is masked up to the end of its string', () => {
  const line = JSON.stringify({ a: 'x -----BEGIN PRIVATE KEY-----\nMIIE"abc\n', b: 'stays' })
  assert.deepEqual(JSON.parse(maskSecrets(line)), {
    a: 'x -----BEGIN PRIVATE KEY-----[masked]"abc\n',
    b: 'stays',
  })
})

test('code, ids, counts and placeholders stay as they are', () => {
  const texts = [
    'const token = await getToken(user.id)',
    'password: string; apiKey: z.string()',
    'login(password=password, token=self.token2)',
    'API_KEY=$OPENAI_API_KEY PASSWORD=<your password>',
    'task-1234567890abcdef risk_0123456789abcdef disk-0123456789abcdef',
    'MAX_TOKENS=4096 input_tokens: 12345678',
    'https://user@example.com:8000/a:b@c',
    'the key is: read it',
    'Bearer authentication',
  ]
  for (const content of texts) {
    const line = JSON.stringify({
      uuid: '0190b3a2-1111-7222-8333-444455556666',
      usage: { input_tokens: 12, output_tokens: 3 },
      sessionId: 'ses_0123456789abcdef0123456789',
      content,
    })
    assert.equal(maskSecrets(line), line)
  }
})

test('signatures of thinking stay, whatever they contain', () => {
  const signature = `Ab-sk-ant-api03-${digits}${digits}ghp_${digits}${digits}`
  const line = JSON.stringify({ type: 'thinking', thinking: `key ghp_${digits}${digits}`, signature })
  const { thinking, signature: kept } = JSON.parse(maskSecrets(line)) as Record<string, string>
  assert.equal(kept, signature)
  assert.equal(thinking, 'key ghp_[masked]')
})

test('hostile lines cost linear time', async () => {
  const texts = [
    'key: ',
    'sk-',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    '\\',
    'token="',
    '?key=',
    'eyJaaaaaaaa.',
  ]
  const took = await processorMs(() => {
    for (const text of texts) maskSecrets(JSON.stringify(text.repeat(1_000_000 / text.length)))
  })
  assert.ok(took < 8_000, `${took} ms`)
})

const png = Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(3_000, 7)])
const sha256 = createHash('sha256').update(png).digest('hex')

test('images are cut out of every shape in which assistants write them', () => {
  const data = png.toString('base64')
  const shapes = [
    { source: { type: 'base64', media_type: 'image/png', data } },
    { image_url: `data:image/png;base64,${data}` },
    { inlineData: { mimeType: 'image/png', data } },
    { output: JSON.stringify([{ type: 'image', data, mimeType: 'image/png' }]) },
    { file: { base64: data } },
    [data],
  ]
  for (const shape of shapes) {
    const { line, blobs } = cutImages(JSON.stringify(shape))
    assert.equal(line, JSON.stringify(shape).replace(data, `blob:${sha256}`))
    assert.deepEqual(blobs, [{ sha256, mime: 'image/png', data: png }])
  }
})

test('the same image twice in a line is one blob', () => {
  const data = png.toString('base64')
  const { line, blobs } = cutImages(JSON.stringify([data, data]))
  assert.equal(line, JSON.stringify([`blob:${sha256}`, `blob:${sha256}`]))
  assert.equal(blobs.length, 1)
})

test('data with a type beside it is cut out, sealed thinking and text are not', () => {
  const data = Buffer.alloc(2_000, 42).toString('base64')
  const pdf = JSON.stringify({ type: 'base64', media_type: 'application/zip', data })
  assert.equal(cutImages(pdf).blobs[0]?.mime, 'application/zip')
  for (const other of [
    { type: 'redacted_thinking', data },
    [{ type: 'redacted_thinking', data }, { mimeType: 'image/png' }],
    { signature: data },
    { text: `iVBORw0KGgo is how a PNG begins, and ${data}` },
    { text: 'iVBORw0KGgo is how a PNG begins' },
  ])
    assert.deepEqual(cutImages(JSON.stringify(other)), { line: JSON.stringify(other), blobs: [] })
})

test('an image of 20 MB is cut out', () => {
  const large = Buffer.concat([png, Buffer.alloc(20_000_000, 1)])
  const { line, blobs } = cutImages(JSON.stringify({ data: large.toString('base64') }))
  assert.equal(line.length, 80)
  assert.equal(blobs[0]?.data.length, large.length)
})
