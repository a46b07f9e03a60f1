import createDOMPurify from 'dompurify'

/** An instance of its own, so that its hook concerns nobody else. */
const purify = createDOMPurify(window)

/** Text markup only: nothing that loads, runs, submits, styles the page or takes an id in it. */
const options = {
  ALLOWED_TAGS: [
    ...[
      'a',
      'abbr',
      'b',
      'br',
      'code',
      'del',
      'em',
      'i',
      'ins',
      'kbd',
      'mark',
      's',
      'strong',
      'sub',
      'sup',
      'u',
    ],
    ...['blockquote', 'details', 'div', 'h3', 'h4', 'h5', 'h6', 'hr', 'p', 'pre', 'summary'],
    ...['dd', 'dl', 'dt', 'li', 'ol', 'ul'],
    ...['caption', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ],
  ALLOWED_ATTR: ['align', 'colspan', 'href', 'open', 'rowspan', 'start'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // Besides the web, pages that show a record: what an agent cites can be opened. Settings and sign-in are no such pages.
  ALLOWED_URI_REGEXP:
    /^(?:(?:https?|mailto):|\/(?:initiatives|tickets|deployments|devlogs|learnings|transcripts|services|console|logs)(?:[/?#]|$))/i,
}

purify.addHook('afterSanitizeAttributes', (element) => {
  const href = element.getAttribute('href')
  if (element.tagName !== 'A' || href === null) return
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
  // The text of a link may claim another address than the one it opens.
  element.setAttribute('title', href)
})

export const sanitize = (html: string): string => purify.sanitize(html, options)
