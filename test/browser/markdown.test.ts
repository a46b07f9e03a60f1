import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const server = await startGateway()
const browser = await startBrowser()
const { page, complaints } = await visit(browser, `${server.url}/playground?model=${exampleModels.gemini}`)
const requested: string[] = []
page.on('request', (request) => requested.push(request.url()))
after(() =>
  assert.deepEqual(
    // The sanitiser parses in a document of its own, where the policy refuses a <base> before it is removed.
    complaints.filter((complaint) => !complaint.includes('base-uri')),
    [],
    'no script error and no violation of the content security policy',
  ),
)

/** The fake provider repeats what it is sent: so any text becomes a response. */
async function answered(markdown: string): Promise<ReturnType<Page['locator']>> {
  await page.getByRole('textbox', { name: /message/i }).fill(markdown)
  await page.keyboard.press('Control+Enter')
  const article = page.getByRole('article').last()
  await article.getByText('First token').waitFor()
  return article.locator('.markdown')
}

/** What the checks below use of an element; the tests are compiled without the types of a browser. */
interface Element {
  tagName: string
  getAttributeNames(): string[]
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): Iterable<Element>
}

const hostile = [
  '<script>window.attacked = 1</script>',
  '<img src="https://evil.example/a.png" onerror="window.attacked = 2">',
  '![picture](https://evil.example/b.png)',
  '<svg onload="window.attacked = 3"><script>window.attacked = 4</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.attacked = 5">',
  '<iframe srcdoc="<script>parent.attacked = 6</script>"></iframe><object data="https://evil.example/c"></object>',
  '<form action="https://evil.example/d"><input name=x autofocus onfocus="window.attacked = 7"></form>',
  '<style>body { display: none }</style><link rel=stylesheet href="https://evil.example/e.css">',
  '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/f">',
  '<a href="javascript:window.attacked = 8" onclick="window.attacked = 9">one</a>',
  '[two](javascript:window.attacked=10) [three](JaVaScRiPt:window.attacked=11)',
  '[four](data:text/html,<script>1</script>) [five](vbscript:x) [six](java&#9;script:window.attacked=12)',
  '[seven](/keys) [eight](//evil.example/g)',
  '<p style="position:fixed" id="root" class="fixed" onmouseover="window.attacked = 13">styled</p>',
  '<details open ontoggle="window.attacked = 14"><summary>folded</summary>inside</details>',
  '[named]: javascript:window.attacked=15\n[a name][named]',
]

test('hostile Markdown runs nothing and loads nothing', async () => {
  const shown = await answered(`Before\n\n${hostile.join('\n\n')}\n\nAfter`)
  await shown.getByText('After', { exact: true }).waitFor()
  const found = await shown.evaluate((root: Element) => {
    const elements = [...root.querySelectorAll('*')]
    return {
      forbidden: elements
        .map(({ tagName }) => tagName.toLowerCase())
        .filter((name) =>
          /^(script|img|svg|math|iframe|object|embed|form|input|style|link|base|meta)$/.test(name),
        ),
      attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
      addresses: elements.flatMap((element) => element.getAttribute('href') ?? []),
    }
  })
  assert.deepEqual(found.forbidden, [])
  assert.deepEqual(
    found.attributes.toSorted((one, other) => one.localeCompare(other)),
    ['href', 'open', 'rel', 'target', 'title'],
  )
  assert.deepEqual(found.addresses, ['https://evil.example/b.png'])
  assert.equal(await page.evaluate(() => 'attacked' in globalThis), false)
  assert.deepEqual(
    requested.filter((url) => !url.startsWith(server.url)),
    [],
  )
})

test('a link opens a new tab, sends no referrer and shows its address', async () => {
  const shown = await answered('See [the docs](https://docs.example/a?b=1&c=2).')
  const link = shown.getByRole('link', { name: 'the docs' })
  const attributes = await link.evaluate((element: Element) =>
    Object.fromEntries(element.getAttributeNames().map((name) => [name, element.getAttribute(name)])),
  )
  assert.deepEqual(attributes, {
    href: 'https://docs.example/a?b=1&c=2',
    rel: 'noopener noreferrer nofollow',
    target: '_blank',
    title: 'https://docs.example/a?b=1&c=2',
  })
})

test('what an agent cites of the records can be opened; other pages of the dashboard are not linked', async () => {
  const shown = await answered(
    '[one](/tickets/7?tab=1) [two](/ticketsx) [three](/api/v1/keys) [four](/\\\\evil.example)',
  )
  await shown.getByText('four').waitFor()
  const links = await shown
    .getByRole('link')
    .evaluateAll((all: Element[]) => all.map((link) => link.getAttribute('href')))
  assert.deepEqual(links, ['/tickets/7?tab=1'])
})

test('code can be copied, tables are tables and formulas stay unchanged', async () => {
  const shown = await answered(
    'Steps:\n\n1. run\n\n   ```sh\n   echo "hi"\n   ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSo $a_1 * b_2 * c$.',
  )
  await shown.getByRole('button', { name: 'Copy sh' }).click()
  const composer = page.getByRole('textbox', { name: /message/i })
  await composer.focus()
  await page.keyboard.press('Control+v')
  assert.equal(await composer.inputValue(), 'echo "hi"')
  assert.equal(await shown.getByRole('cell').count(), 2)
  await shown.getByText('So $a_1 * b_2 * c$.').waitFor()
})
