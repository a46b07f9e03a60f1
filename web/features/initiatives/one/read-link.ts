export type LinkTarget =
  | { kind: 'deployment' | 'devlog' | 'transcript' | 'url'; target: string }
  | { kind: 'ticket'; target: string }

const pages = {
  tickets: 'ticket',
  devlogs: 'devlog',
  deployments: 'deployment',
  transcripts: 'transcript',
} as const

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** What a pasted address leads to: a page of the dashboard, wherever it is served, or one elsewhere. */
export function readLink(text: string, ownOrigin: string): LinkTarget | undefined {
  let url: URL
  try {
    url = new URL(text.trim(), ownOrigin)
  } catch {
    return undefined
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.origin !== ownOrigin) return { kind: 'url', target: url.href }
  const [, page = ''] = url.pathname.split('/')
  const [target] = uuid.exec(`${url.pathname}${url.search}`) ?? []
  if (!Object.hasOwn(pages, page) || target === undefined) return undefined
  return { kind: pages[page as keyof typeof pages], target: target.toLowerCase() }
}
