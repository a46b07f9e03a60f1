import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { waitFor } from './wait.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const standsStill =
  'document.getAnimations().every(({ effect }) => effect.getTiming().iterations === Infinity)'

interface Violation {
  id: string
  nodes: { target: unknown[] }[]
}

/** The rules that look at colours: the others find the same in every theme. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page as it is now: the rule, and the first places. Without `rules`, by all of its rules. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  // Of what has passed it would describe every element too.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)
  const violations = found as Violation[]
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(', ')}`,
  )
}

/** In both themes, the second time by its colours; the page keeps the last one. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    // Colours that fade from one theme to the other are neither. Asked again and again, as the promise of an animation
    // whose element has gone may never be kept, and a sign of work turns until the work is done.
    await waitFor('colours that stand still', () => page.evaluate<boolean>(standsStill))
    const violations = await violationsOf(page, theme === 'light' ? undefined : rulesOfColours)
    found.push(...violations.map((violation) => `${theme}: ${violation}`))
  }
  return found
}
