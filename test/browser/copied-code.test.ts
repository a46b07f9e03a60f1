import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startBrowser, visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const server = await startGateway()
const browser = await startBrowser()
const { page, complaints } = await visit(browser, `${server.url}/playground?model=${exampleModels.gemini}`)
after(() =>
  assert.deepEqual(complaints, [], 'no script error and no violation of the content security policy'),
)

await page.getByLabel('System prompt').fill('You are "terse".')
await page.getByLabel('Temperature').fill('0.5')
await page.getByLabel('Max tokens').fill('200')
await page.getByRole('textbox', { name: /message/i }).fill(`It's "copied"`)
await page.getByRole('button', { name: 'Get code' }).click()
const dialog = page.getByRole('dialog')

/** Runs it as a user would, with a real key in place of YOUR_KEY. */
async function run(code: string): Promise<string> {
  const source = code.replace('YOUR_KEY', server.key)
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: 60_000 }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', source],
    options,
  )
  return stdout
}

for (const api of ['Chat Completions', 'Responses', 'Messages']) {
  for (const stream of [false, true]) {
    test(`${api}, ${stream ? 'streaming' : 'not streaming'}: the copied code sends the request of the playground`, async () => {
      await dialog.getByRole('button', { name: api }).click()
      await dialog.getByLabel('Stream the response').setChecked(stream)
      await dialog.getByRole('tab', { name: 'TypeScript' }).click()
      const code = await dialog.getByLabel('TypeScript snippet', { exact: true }).innerText()
      assert.match(await run(code), /^Echo: It's "copied"\n?$/)
      const sent = server.fake.requests.at(-1)?.json as {
        systemInstruction?: { parts: { text: string }[] }
        generationConfig?: { temperature?: number; maxOutputTokens?: number }
      }
      assert.equal(sent.systemInstruction?.parts[0]?.text, 'You are "terse".')
      assert.equal(sent.generationConfig?.temperature, 0.5)
      assert.equal(sent.generationConfig?.maxOutputTokens, 200)
    })
  }
}

test('the code dialog fits a phone of 375 px', async () => {
  await page.setViewportSize({ width: 375, height: 800 })
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 375, `${width} px wide`)
})
