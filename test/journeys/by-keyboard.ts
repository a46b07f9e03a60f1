import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, explained, inSidebar, type Journey } from './journey.ts'

/** The same without a mouse: whatever a journey needs is reached by Tab and pressed by Enter. */
export function journeysByKeyboard(
  start: () => Promise<Journey>,
  addInitiative: (title: string) => Promise<void>,
): void {
  test('with the keyboard alone: a first answer', async () => {
    const { page, clicks, enter } = await start()
    await enter(inSidebar(page, 'Playground'))
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
    await page.keyboard.type('What should I check first?')
    await page.keyboard.press('Control+Enter')
    await answered(page)
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: why the request of a colleague failed', async () => {
    const { page, clicks, enter } = await start()
    await enter(inSidebar(page, 'Logs'))
    await enter(
      page
        .getByRole('row', { name: /demo-small.*400|400.*demo-small/ })
        .getByRole('link')
        .first(),
    )
    await explained(page)
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: an agent runs, and its statement is approved', async () => {
    const { page, clicks, enter, focus } = await start()
    await enter(inSidebar(page, 'Agents'))
    await enter(page.getByRole('link', { name: 'Data engineer' }))
    await focus(page.getByLabel('Request', { exact: true }))
    await page.keyboard.type('Remove carts that were abandoned.')
    await enter(page.getByRole('button', { name: 'Ask agent' }))
    await enter(
      page.getByRole('region', { name: 'Waits for approval' }).getByRole('button', { name: 'Approve' }),
    )
    await page.getByRole('status').getByText('Completed').waitFor()
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: why spend rose', async () => {
    const { page, clicks, enter } = await start()
    await enter(inSidebar(page, 'Usage'))
    await enter(page.getByRole('group', { name: 'Spend by' }).getByRole('button', { name: 'Model' }))
    await page.getByRole('list', { name: 'Changes of spend' }).getByText('demo-large').waitFor()
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: a stand-up begins', async () => {
    await addInitiative('Receipts in a minute')
    const { page, clicks, enter, focus } = await start()
    await enter(inSidebar(page, 'Initiatives'))
    await enter(page.getByRole('link', { name: 'Receipts in a minute' }))
    await enter(page.getByRole('link', { name: 'Start stand-up' }))
    await enter(page.getByRole('button', { name: 'Start stand-up' }))
    await page.getByRole('log', { name: 'Conversation' }).getByText('queue', { exact: false }).waitFor()
    await focus(page.getByRole('textbox', { name: 'Message' }))
    await page.keyboard.type('Yes, decide for the queue.')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Proposal: Send receipts from a queue' }).waitFor()
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: a session is found, and its cost', async () => {
    const { page, clicks, enter, focus } = await start()
    await enter(inSidebar(page, 'Transcripts'))
    await focus(page.getByRole('searchbox'))
    await page.keyboard.type('rounding')
    await page.waitForURL(/[?&]q=rounding/)
    await enter(page.getByRole('link', { name: /Round totals once/ }).first())
    await page.getByRole('heading', { name: 'Round totals once, at the end' }).waitFor()
    const cost = page.getByText(/^\$0\.\d+/).first()
    await cost.waitFor()
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: a service that is down, and its incident', async () => {
    const { page, clicks, enter } = await start()
    await enter(page.getByRole('button', { name: /^Notifications/ }))
    const bell = page.getByRole('dialog', { name: 'Notifications' })
    await enter(bell.getByRole('link', { name: /mail is down/ }))
    await page.getByText('Expected status 200, received 503.').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('Status page')
    await page.keyboard.press('Enter')
    const opened = page.context().waitForEvent('page')
    await enter(page.getByRole('link', { name: 'Open status page' }))
    await (await opened).getByRole('heading', { name: 'Status of the demo shop' }).waitFor()
    assert.equal(clicks(), 0)
  })

  test('with the keyboard alone: a colleague is invited', async () => {
    const { page, clicks, enter } = await start()
    await enter(inSidebar(page, 'Members'))
    await enter(page.getByRole('button', { name: 'Invite' }))
    await enter(page.getByRole('dialog').getByRole('button', { name: /Create/ }))
    await page.getByText('/join?token=', { exact: false }).waitFor()
    assert.equal(clicks(), 0)
  })
}
