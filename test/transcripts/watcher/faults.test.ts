import assert from 'node:assert/strict'
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitFor } from '#test/wait'
import { SegmentRefused, SinkUnavailable, WatcherRefused } from '../../../src/transcripts/watcher/errors.ts'
import { readSegment } from '../../../src/transcripts/watcher/index.ts'
import type { Segment } from '../../../src/transcripts/segment.ts'
import { mainPath, setScene, userLine } from './scene.ts'

test('lines that are no JSON, no UTF-8 or empty do not stop what follows', async () => {
  const scene = await setScene()
  const broken = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')])
  scene.write(
    mainPath,
    Buffer.concat([Buffer.from('{"half":\n\n'), broken, Buffer.from(`${userLine('after')}\r\n`)]),
  )
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), ['{"half":', '{"text":"\ufffd\ufffd"}', userLine('after')])
  assert.deepEqual(
    scene.watcher.status().skipped.map(({ reason }) => reason),
    ['not_utf8'],
  )
})

test('a line of more than 64 MB is skipped with its reason, one with a large image is stored without it', async () => {
  const scene = await setScene()
  const data = Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(5_000_000)]).toString(
    'base64',
  )
  const image = JSON.stringify({ type: 'user', uuid: 'i', image: { data } })
  const file = scene.write(mainPath, `${userLine('before')}\n{"text":"`)
  for (let part = 0; part < 68; part++) appendFileSync(file, 'x'.repeat(1_000_000))
  appendFileSync(file, `"}\n{"text":"${'y'.repeat(9_000_000)}"}\n${image}\n${userLine('after')}\n`)
  await scene.run()
  const lines = scene.sink.lines(mainPath)
  assert.deepEqual([lines[0], lines.at(-1), lines.length], [userLine('before'), userLine('after'), 3])
  assert.match(lines[1] ?? '', /^\{"type":"user","uuid":"i","image":\{"data":"blob:[0-9a-f]{64}"\}\}$/)
  const [skipped] = scene.watcher.status().skipped
  assert.deepEqual([skipped?.reason, skipped?.bytes], ['too_long', 68_000_011 + 9_000_011])
  for (const { segments } of scene.sink.sources.values())
    for (const segment of segments) assert.ok(sizeOf(segment) < 12_000_000)
})

function sizeOf({ lines, blobs }: Segment): number {
  return [...lines, ...blobs.map(({ data }) => data)].reduce((sum, { length }) => sum + length, 0)
}

test('progress records are not sent, however many there are', async () => {
  const scene = await setScene()
  const progress = `{"parentUuid":"a","isSidechain":false,"type":"progress","data":"${'x'.repeat(900)}"}\n`
  scene.write(mainPath, `${userLine('one')}\n${progress.repeat(5_000)}${userLine('two')}\n`)
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one'), userLine('two')])
})

test('a file that shrinks is read again from its beginning, as a new generation', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n${userLine('two')}\n`)
  await scene.run()
  truncateSync(file, userLine('one').length + 1)
  await waitFor('the new generation', () => scene.sink.sources.get(mainPath)?.position.generation === 1)
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one')])
})

test('a file that is replaced is read again, also when the new one is longer', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n`)
  await scene.run()
  writeFileSync(join(scene.home, 'new'), `${userLine('one')}\n${userLine('two')}\n`)
  renameSync(join(scene.home, 'new'), file)
  await waitFor('both lines', () => scene.sink.lines(mainPath).length === 2)
  assert.equal(scene.sink.sources.get(mainPath)?.position.generation, 1)
})

test('a file that is rewritten with the same size is read again', async () => {
  const scene = await setScene()
  const filler = `${userLine('x'.repeat(500))}\n`.repeat(40)
  const file = scene.write(mainPath, `${filler}${userLine('one')}\n${filler}`)
  await scene.run()
  writeFileSync(file, `${filler}${userLine('two')}\n${filler}`)
  utimesSync(file, new Date(), new Date(Date.now() + 5_000))
  await waitFor('the new line', () => scene.sink.lines(mainPath).includes(userLine('two')))
})

test('a beginning that was edited while the watcher was off is noticed', async () => {
  const first = await setScene()
  const file = first.write(mainPath, `${userLine('one')}\n`)
  await first.run()
  await first.watcher.stop()
  writeFileSync(file, `${userLine('uno')}\n${userLine('two')}\n`)
  const later = await setScene({ home: first.home, sink: first.sink })
  await later.run()
  assert.deepEqual(later.sink.lines(mainPath), [userLine('uno'), userLine('two')])
})

test('a watcher that starts again continues from the position of the archive', async () => {
  const first = await setScene()
  const file = first.write(mainPath, `${userLine('one')}\n`)
  await first.run()
  await first.watcher.stop()
  appendFileSync(file, `${userLine('two')}\n`)
  const later = await setScene({ home: first.home, sink: first.sink })
  const taken: number[] = []
  later.sink.beforeTake = ({ from }) => void taken.push(from)
  await later.run()
  assert.deepEqual(taken, [userLine('one').length + 1])
  assert.deepEqual(later.sink.lines(mainPath), [userLine('one'), userLine('two')])
})

test('while the archive is unavailable nothing is lost, and sending continues afterwards', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n`)
  let attempts = 0
  scene.sink.beforeTake = () => {
    if (attempts++ < 5) throw new SinkUnavailable('connection refused')
  }
  await scene.watcher.start()
  await waitFor('the problem', () => scene.watcher.status().problem?.includes('connection refused'))
  appendFileSync(file, `${userLine('two')}\n`)
  await waitFor('both lines', () => scene.sink.lines(mainPath).length === 2)
  assert.equal(scene.watcher.status().problem, null)
})

test('one file that cannot be stored does not stop the others, and is tried again', async () => {
  const scene = await setScene()
  const other = mainPath.replace('0190', '0191')
  scene.write(mainPath, `${userLine('one')}\n`)
  scene.write(other, `${userLine('two')}\n`)
  let isBroken = true
  scene.sink.beforeTake = ({ source }) => {
    if (source.path === mainPath && isBroken) throw new Error('constraint violated')
  }
  await scene.run()
  assert.equal(scene.sink.lines(other).length, 1)
  assert.equal(scene.sink.lines(mainPath).length, 0)
  isBroken = false
  await waitFor('the line', () => scene.sink.lines(mainPath).length === 1)
})

test('a line that the archive refuses is left out and named, those around it are stored', async () => {
  const scene = await setScene()
  scene.write(mainPath, `${userLine('one')}\n${userLine('poison')}\n${userLine('three')}\n`)
  scene.sink.beforeTake = ({ lines }) => {
    if (lines.some((line) => line.includes('poison'))) throw new SegmentRefused('too deep')
  }
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one'), userLine('three')])
  assert.deepEqual(
    scene.watcher.status().skipped.map(({ reason, path }) => `${reason} ${path}`),
    [`refused ${mainPath}`],
  )
})

test('a watcher that the archive does not accept stops sending and says why', async () => {
  const scene = await setScene()
  scene.write(mainPath, `${userLine('one')}\n`)
  scene.sink.beforeTake = () => {
    throw new WatcherRefused('The key is wrong.')
  }
  await scene.watcher.start()
  assert.equal((await scene.watcher.idle())?.message, 'The key is wrong.')
  assert.equal(scene.watcher.status().problem, 'The key is wrong.')
})

test('secrets are masked before anything is sent', async () => {
  const scene = await setScene()
  scene.write(mainPath, `${userLine('ghp_0123456789abcdef0123456789abcdef0123')}\n`)
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), [
    userLine('ghp_0123456789abcdef0123456789abcdef0123').replaceAll(/ghp_\w+/g, 'ghp_[masked]'),
  ])
})

test('a path that leads out of the root is not read', async () => {
  const scene = await setScene()
  const source = { machine: 'm', assistant: 'claude-code' as const, root: join(scene.root, 'projects') }
  scene.write(mainPath, `${userLine('one')}\n`)
  for (const path of [`../${mainPath}`, `projects/../../.claude/${mainPath}`, '/etc/passwd', 'projects/..'])
    assert.notEqual(
      (await readSegment({ source: { ...source, path }, position: null, isSuspect: false, isRedacted: true }))
        .kind,
      'segment',
    )
})

test('a file that disappears while it waits is no fault', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n`)
  scene.sink.position = async () => {
    rmSync(file, { force: true })
    return null
  }
  await scene.run()
  assert.equal(scene.watcher.status().failing, 0)
  assert.equal(scene.sink.sources.size, 0)
})
