import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { MultipartScanner, type Segment } from './multipart-scanner.ts'
import { writeForm, type Part } from './testing.ts'

/** Content full of what looks like a boundary and is none. */
function trickyContent(boundary: string): Buffer {
  const lures = ['\r', '\n', '\r\n', '\r\n-', '\r\n--', `\r\n--${boundary.slice(0, -1)}!`, `x--${boundary}`]
  const pieces = Array.from({ length: randomInt(0, 30) }, () =>
    randomInt(2) === 0 ? randomBytes(randomInt(0, 200)) : Buffer.from(lures[randomInt(lures.length)] ?? ''),
  )
  return Buffer.concat(pieces)
}

function cut(body: Buffer, largest: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = at + randomInt(1, largest + 1)
    pieces.push(body.subarray(at, end))
    at = end
  }
  return pieces
}

function scan(boundary: string, pieces: Buffer[]) {
  const scanner = new MultipartScanner(boundary)
  const segments: Segment[] = pieces.flatMap((piece) => scanner.push(piece))
  scanner.finish()
  const bytes = segments.flatMap((segment) =>
    segment.kind === 'bytes' ? [segment.bytes] : segment.kind === 'field' ? [segment.value] : [],
  )
  return {
    bytes: Buffer.concat(bytes),
    fields: segments.flatMap((segment) =>
      segment.kind === 'field' ? [[segment.name, segment.value.toString('latin1')]] : [],
    ),
    files: segments.flatMap((segment) => (segment.kind === 'file' ? [[segment.name, segment.filename]] : [])),
  }
}

test('any form, cut anywhere, gives its fields and loses no byte', () => {
  for (let round = 0; round < rounds(100, 4_000); round++) {
    const boundary = `b${randomBytes(randomInt(1, 20)).toString('hex')}`
    const parts = Array.from({ length: randomInt(1, 8) }, (_, index): Part => {
      const content = trickyContent(boundary)
      return randomInt(2) === 0
        ? [`field-${index}`, content.toString('latin1')]
        : [`file-${index}`, content, `${index}.wav`]
    })
    const { body } = writeForm(parts, boundary)
    const found = scan(boundary, cut(body, [1, 3, 17, 100, 5_000][round % 5] ?? 1))
    assert.ok(found.bytes.equals(body), `round ${round}`)
    const fields = parts.filter((part) => part.length === 2)
    assert.deepEqual(
      found.fields,
      fields.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
    )
    assert.equal(found.files.length, parts.length - fields.length)
  }
})

test('a scanner says whether a file is passing, and holds none of it', () => {
  const { boundary, body } = writeForm([['file', Buffer.alloc(1_000_000, 'x'), 'a.wav']])
  const scanner = new MultipartScanner(boundary)
  assert.equal(scanner.isInFile, false)
  const passed = scanner.push(body.subarray(0, 500_000))
  assert.equal(scanner.isInFile, true)
  const bytes = passed.flatMap((segment) => (segment.kind === 'bytes' ? [segment.bytes.length] : []))
  assert.equal(
    bytes.reduce((sum, length) => sum + length, 0),
    500_000,
  )
  scanner.push(body.subarray(500_000))
  assert.equal(scanner.isInFile, false)
})

test('names and file names are read in every notation that clients use', () => {
  const heads: [head: string, name: string, filename?: string][] = [
    ['Content-Disposition: form-data; name="model"', 'model'],
    ['content-disposition:form-data;name=model', 'model'],
    ['Content-Type: text/plain\r\nContent-Disposition: form-data; name="model"', 'model'],
    ['Content-Disposition: form-data; name="file"; filename="a;b=c.wav"', 'file', 'a;b=c.wav'],
    ['Content-Disposition: form-data; filename="name=model"; name="file"', 'file', 'name=model'],
    [String.raw`Content-Disposition: form-data; name="file"; filename="a\"b.wav"`, 'file', 'a"b.wav'],
    [`Content-Disposition: form-data; name="file"; filename*=UTF-8''%C3%A4.wav`, 'file', `UTF-8''%C3%A4.wav`],
    ['Content-Disposition: form-data; name="file"; filename="ä.wav"', 'file', 'ä.wav'],
    ['Content-Disposition: form-data; name="file"; filename=""', 'file', ''],
  ]
  for (const [head, name, filename] of heads) {
    const found = scan('edge', [Buffer.from(`--edge\r\n${head}\r\n\r\nvalue\r\n--edge--`)])
    if (filename === undefined) assert.deepEqual(found.fields, [[name, 'value']], head)
    else assert.deepEqual(found.files, [[name, filename]], head)
  }
})

test('a damaged form is refused with what is wrong', () => {
  const head = 'Content-Disposition: form-data; name="a"\r\n\r\n'
  const cases: [body: string, expected: RegExp][] = [
    ['', /cut off/],
    ['--edge', /cut off/],
    [`--edge\r\n${head}value`, /cut off/],
    [`--edge\r\n${head}value\r\n--edge`, /cut off/],
    [`--edge\r\n${head}value\r\n--edge\r\n`, /cut off/],
    ['this is no form at all', /does not begin with the boundary/],
    [`--other\r\n${head}value\r\n--other--`, /does not begin with the boundary/],
    [`--edge\r\n${head}value\r\n--edgeX\r\n${head}value\r\n--edge--`, /boundary line .* damaged/],
    ['--edge\r\nContent-Type: text/plain\r\n\r\nvalue\r\n--edge--', /Content-Disposition/],
    ['--edge\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--edge--', /Content-Disposition/],
    [
      '--edge\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\n\r\n--edge--',
      /Content-Disposition/,
    ],
    ['--edge\r\nContent-Disposition: form-data; name="a\r\n\r\nvalue\r\n--edge--', /Content-Disposition/],
    [`--edge\r\nX: ${'x'.repeat(20_000)}`, /headers of a part .* too large/],
    [`--edge\r\n${head}${'x'.repeat(65_537)}\r\n--edge--`, /a is larger than 64 KiB/],
    [`${`--edge\r\n${head}value\r\n`.repeat(101)}--edge--`, /more than 100 parts/],
    [`--edge\r\n${head}value\r\n--edge--\r\n--edge\r\n${head}other\r\n--edge--`, /continues after/],
  ]
  for (const [body, expected] of cases) {
    for (const largest of [1, 100, 100_000])
      assert.throws(() => scan('edge', cut(Buffer.from(body), largest)), expected, body.slice(0, 80))
  }
})

test('a field of 64 KiB and a hundred parts are still good', () => {
  const parts: Part[] = Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(65_536)])
  const { body, boundary } = writeForm(parts)
  assert.equal(scan(boundary, cut(body, 64_000)).fields.length, 100)
})
