import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { processorMs } from '#test/time'
import { cutImages, maskSecrets } from './index.ts'

/** Made of parts, so that no scanner takes this file for a leak. */
const digits = '0123456789abcdef'

test('a raw line is masked with the list of the kernel, and stays JSON', () => {
  const line = JSON.stringify({ type: 'user', arguments: JSON.stringify({ cmd: `curl -u me:${digits}` }) })
  assert.equal(maskSecrets(line), line.replace(digits, '[masked]'))
})

test('signatures of thinking stay, whatever they contain', () => {
  const signature = `Ab-sk-ant-api03-${digits}${digits}ghp_${digits}${digits}`
  const line = JSON.stringify({ type: 'thinking', thinking: `key ghp_${digits}${digits}`, signature })
  const { thinking, signature: kept } = JSON.parse(maskSecrets(line)) as Record<string, string>
  assert.equal(kept, signature)
  assert.equal(thinking, 'key ghp_[masked]')
})

test('many signatures in one line cost linear time', async () => {
  const line = JSON.stringify(
    Array.from({ length: 50_000 }, (_, index) => ({ signature: `${digits}${digits}${digits}${index}` })),
  )
  const took = await processorMs(() => assert.equal(maskSecrets(line), line))
  assert.ok(took < 5_000, `${took} ms`)
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
