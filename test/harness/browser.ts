import assert from 'node:assert/strict'
import { after } from 'node:test'
import { chromium, type Browser, type Page } from 'playwright-core'
import { atEnd } from '../run/at-end.ts'
import { browserProgram } from './browser-program.ts'
import { ownerTokenOf } from './owner.ts'

/** Only a limit for a test that fails, as in wait.ts: on a busy machine the 30 s of Playwright are not enough. */
const limitMs = 90_000

let running: Promise<Browser> | undefined

/** The Chromium of this process. What a file has opened in it is closed when its tests are over, at the latest. */
export async function startBrowser(): Promise<Browser> {
  running ??= launch()
  const browser = await running
  after(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** A real Chromium, from npm. Every name but loopback's own leads to this machine, and nothing leaves it. */
async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await browserProgram(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-quic'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      '--host-resolver-rules=MAP * 127.0.0.1',
    ],
    headless: true,
  })
  atEnd(() => browser.close())
  return browser
}

export interface Visit {
  page: Page
  /** Errors of scripts and violations of the content security policy. */
  complaints: string[]
}

/** Opens the address in a browser that has opened the link of its local owner before, if there is one. */
export async function visit(browser: Browser, url: string, width = 1280): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  // With the test that opened it: a page that stays open keeps drawing and asking.
  after(() => context.close())
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined)
  const token = ownerTokenOf(url)
  if (token !== undefined)
    await context.request.get(`${new URL(url).origin}/?token=${token}`, { maxRedirects: 0 })
  context.setDefaultTimeout(limitMs)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Uncaught/.test(message.text()))
      complaints.push(message.text())
  })
  await page.goto(url)
  return { page, complaints }
}

/**
 * A browser for the pages of one server: a page is open when its heading is there. After the tests no page may have
 * complained.
 */
export async function startPages({ url }: { url: string }, defaultWidth?: number) {
  const browser = await startBrowser()
  const complaints: string[][] = []
  after(() =>
    assert.deepEqual(
      complaints.flat(),
      [],
      'no script error and no violation of the content security policy',
    ),
  )
  return {
    browser,
    async open(path: string, width = defaultWidth): Promise<Page> {
      const opened = await visit(browser, `${url}${path}`, width)
      complaints.push(opened.complaints)
      await opened.page.waitForSelector('h1')
      return opened.page
    },
  }
}
