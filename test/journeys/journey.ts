import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { visit } from '#test/browser'

const maxClicks = 4
/** More than any page has places to stop at. */
const maxTabs = 150

export interface Journey {
  page: Page
  /** Clicks that the browser saw on all pages of the journey, from any element. */
  clicks(): number
  /** Goes to it by Tab. */
  focus(target: Locator): Promise<void>
  /** Goes to it by Tab and presses Enter. */
  enter(target: Locator): Promise<void>
}

/** A person at the overview of the group. The journey fails with its fifth click. */
export async function startJourney(browser: Browser, url: string, groupId: string): Promise<Journey> {
  const { page } = await visit(browser, `${url}/?group_id=${groupId}`)
  let clicks = 0
  await page.context().exposeBinding('journeyClicked', () => (clicks += 1))
  // A key that activates a button makes a click too; its detail is 0. A click that Playwright takes back, because the page
  // moved below it, ends at the window.
  const count = `document.addEventListener('click', (event) => event.isTrusted && event.detail > 0 && journeyClicked(), true)`
  await page.context().addInitScript(count)
  await page.reload()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  after(() => assert.ok(clicks <= maxClicks, `${clicks} clicks, of at most ${maxClicks}`))
  const focus = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let tabs = 0; tabs < maxTabs; tabs += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`${maxTabs} times Tab did not reach ${target.toString()}`)
  }
  return {
    page,
    clicks: () => clicks,
    focus,
    async enter(target) {
      await focus(target)
      await page.keyboard.press('Enter')
    },
  }
}

/** A part of the overview may have the same name. */
export const inSidebar = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

export async function answered(page: Page): Promise<void> {
  const answer = page.getByRole('article', { name: /^Response from demo-/ })
  await answer.getByText('This is the Demo provider', { exact: false }).waitFor()
  await answer
    .getByText(/\$0\.\d+/)
    .first()
    .waitFor()
}

export async function explained(page: Page): Promise<void> {
  const record = page.getByRole('dialog')
  await record.getByText('demo-small takes 16000 tokens', { exact: false }).first().waitFor()
  await record.getByText("Ben's assistant (demo)").first().waitFor()
}
