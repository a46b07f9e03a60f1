import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const { open } = await startPages(await startProduct())

/** The colors of the page and of its heading in the first frame in which the page has another color. */
const watch = `void (window.firstFrame = new Promise((resolve) => {
  const color = (selector) => getComputedStyle(document.querySelector(selector)).color
  const before = color('body')
  const look = () => {
    if (color('body') === before) requestAnimationFrame(look)
    else resolve([color('body'), color('h1')])
  }
  look()
}))`

test('with reduced motion a change of theme reaches every text at once', async () => {
  const page = await open('/agents')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.evaluate(watch)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const [body, heading] = await page.evaluate<[string, string]>('window.firstFrame')
  assert.equal(heading, body)
})
