import type { HttpRequest } from '../deliver/http.ts'
import { cut, headlineOf, labelOf, maxListed, type Item, type Message } from '../deliver/message.ts'

/** Teams refuses messages above 28 KB. */
const maxTextAlone = 2_000
const maxTextOfMany = 400

/** An Adaptive Card for a webhook of Workflows. */
export function teamsRequest(message: Message, url: string): HttpRequest {
  const { items } = message
  const listed = items.slice(0, maxListed)
  const more = items.length - listed.length
  const maxText = items.length === 1 ? maxTextAlone : maxTextOfMany
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: headlineOf(message),
    body: [
      ...listed.flatMap((item) => blocksOf(item, maxText)),
      ...(more > 0 ? [paragraph([{ type: 'TextRun', text: `and ${more} more`, isSubtle: true }])] : []),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Signalbox', url: items[0].url }],
  }
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { url, headers: {}, body: JSON.stringify({ type: 'message', attachments: [card] }) }
}

/** Runs of text are shown as they are; a TextBlock would read Markdown, and a title could be a link to anywhere. */
function blocksOf(item: Item, maxText: number): object[] {
  const color = item.state === 'resolved' ? 'Good' : colors[item.severity]
  return [
    paragraph(
      [
        { type: 'TextRun', text: `${labelOf(item)}: `, color, weight: 'Bolder' },
        { type: 'TextRun', text: item.title, weight: 'Bolder' },
      ],
      true,
    ),
    ...(item.text === '' ? [] : [paragraph([{ type: 'TextRun', text: cut(item.text, maxText) }])]),
  ]
}

const colors = { info: 'Accent', warning: 'Warning', error: 'Attention', critical: 'Attention' } as const

const paragraph = (inlines: object[], separator = false): object => ({
  type: 'RichTextBlock',
  inlines,
  separator,
})
