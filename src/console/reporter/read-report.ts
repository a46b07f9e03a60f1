import { invalidField } from '#kernel/errors'
import { maxMessage, maxName, maxTitle, severities } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { isObject, storableMetadata, storableText } from '../storable.ts'

/** An error of a page as an event. What a page sends is not to be trusted, so it is cut to size and never refused for it. */
export function readReport(
  value: unknown,
  browser: { origin: string | null; agent: string | null },
): EventDraft {
  if (!isObject(value)) throw invalidField('The body', 'must be an object')
  const title = textOf(value['message'], maxTitle)
  if (title.trim() === '') throw invalidField('message', 'must not be empty')
  const url = textOf(value['url'], 1_000)
  return {
    at: null,
    sent: null,
    type: 'error',
    severity: severities.indexOf('error'),
    source: 'frontend',
    service: siteOf(url) ?? siteOf(browser.origin ?? ''),
    title,
    message: detailOf(value['message'], value['stack']),
    metadata: storableMetadata(
      {
        url,
        file: textOf(value['file'], 1_000),
        line: numberOf(value['line']),
        column: numberOf(value['column']),
        origin: browser.origin,
        user_agent: browser.agent === null ? null : textOf(browser.agent, 500),
      },
      'metadata',
    ),
  }
}

/** The stack, behind the whole message where a title has no room for it. */
function detailOf(message: unknown, stack: unknown): string {
  const whole = textOf(message, maxMessage)
  const trace = textOf(stack, maxMessage)
  return whole.length <= maxTitle ? trace : textOf(`${whole}\n${trace}`.trimEnd(), maxMessage)
}

function textOf(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return ''
  return storableText(value.replaceAll('\0', '').slice(0, maxLength), 'text', maxLength)
}

const numberOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

function siteOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname === '' ? null : hostname.slice(0, maxName)
}
