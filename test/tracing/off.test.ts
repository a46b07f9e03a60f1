import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'

/** Prints what the server loads of the kernel. */
const hook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.includes('/src/kernel/')) console.error('loads', url.replace(/^.*[/]kernel[/]/, ''))
      return next(url, context)
    },
  })
`)}`

test('without a collector nothing of traces is loaded but the door', async () => {
  const environment = { DATA_DIR: temporaryFolder(), NODE_OPTIONS: `--import=${hook}` }
  const server = await spawnProduct(environment, { isFromTree: true })
  const loaded = [...server.output().matchAll(/^loads (\S+)$/gm)].map(([, file = '']) => file)
  assert.ok(loaded.length > 50, `${loaded.length} files`)
  assert.deepEqual(
    loaded.filter((file) => file.startsWith('tracing/')),
    ['tracing/index.ts'],
  )
})
