import type { HttpRequest } from '../deliver/http.ts'
import { cut, headlineOf, labelOf, maxListed, type Item, type Message } from '../deliver/message.ts'

/** Slack refuses sections above 3,000 characters; an escaped character takes up to 5. */
const maxTitle = 150
const maxText = 1_500
const maxEscaped = 2_900

/** A message with blocks, and a text for notifications and for programs that show no blocks. */
export function slackRequest(message: Message, url: string): HttpRequest {
  const { items } = message
  const listed = items.slice(0, maxListed)
  const more = items.length - listed.length
  const body = {
    text: escapeText(headlineOf(message)),
    blocks: [
      ...listed.map(sectionOf),
      ...(more > 0 ? [{ type: 'context', elements: [plain(`and ${more} more`)] }] : []),
    ],
  }
  return { url, headers: {}, body: JSON.stringify(body) }
}

function sectionOf(item: Item): object {
  const facts = [labelOf(item), item.kind.replaceAll('_', ' '), `<${linkOf(item.url)}|Open in Signalbox>`]
  const title = `${marks[item.state === 'resolved' ? 'resolved' : item.severity]} *${escapeText(cut(item.title, maxTitle))}*`
  const text = escapeText(cut(item.text, maxText))
  // `verbatim`: names of channels and people in the text are no mentions.
  const markdown = {
    type: 'mrkdwn',
    text: cutEscaped(`${title}\n${text}`, maxEscaped - 400) + `\n${facts.join(' · ')}`,
    verbatim: true,
  }
  return { type: 'section', text: markdown }
}

const marks = {
  resolved: ':large_green_circle:',
  info: ':large_blue_circle:',
  warning: ':large_yellow_circle:',
  error: ':large_orange_circle:',
  critical: ':red_circle:',
} as const

const plain = (text: string): object => ({ type: 'plain_text', text })

/** What is not escaped could be a link or a mention of everybody. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Not in the middle of an escape. */
const cutEscaped = (text: string, maximum: number): string =>
  text.length <= maximum ? text : `${text.slice(0, maximum).replace(/&[a-z]{0,3}$/, '')}…`

const linkOf = (url: string): string => escapeText(url).replaceAll('|', '%7C')
