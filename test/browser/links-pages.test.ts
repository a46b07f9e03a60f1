import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPrice, tellStory } from '../../src/links/testing-story.ts'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { startGateway } from '../harness/gateway.ts'

const it = await startGateway()
await setPrice(it)
const story = await tellStory(it)
const { open } = await startPages(it)

test('why a deployment happened is a chain from it to the decision, with the evidence of each step', async () => {
  const page = await open(`/why?type=deployment&id=${story.deployment}`)
  const chain = page.getByRole('list', { name: 'Why' })
  for (const title of ['Round totals to the cent', 'Totals are off by one cent', 'Round once, at the end'])
    await chain.getByText(title, { exact: false }).first().waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
})

test('a ticket shows what belongs to it and its cost, and a person adds and removes a link', async () => {
  const page = await open(`/tickets/${story.ticket}`, 390)
  await page.getByRole('heading', { name: 'Linked' }).waitFor()
  await page.getByText('Round totals to the cent', { exact: false }).first().waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${width} px wide`)
  await page.getByRole('button', { name: 'Add link' }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
})
