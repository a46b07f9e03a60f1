import type { ThingRef, ThingType } from '#links/contract'

/** Pages of the dashboard that are about one thing; the ID is the last part of the address. */
const pages: Readonly<Record<string, ThingType>> = {
  tickets: 'ticket',
  transcripts: 'session',
  initiatives: 'initiative',
  services: 'service',
  deployments: 'deployment',
  incidents: 'incident',
}

/** Those whose page is that of their links; the first two had none of their own once. */
const withoutPage = ['deployment', 'incident', 'sql_change'] as const

/** What a pasted address or hash is about: a page of the dashboard, a pull request, a commit. */
export function readThing(text: string, ownOrigin: string): ThingRef | undefined {
  const given = text.trim()
  if (/^[0-9a-f]{7,64}$/i.test(given)) return { type: 'commit', id: given }
  if (/^req_[0-9a-f]{32}$/.test(given)) return { type: 'request', id: given }
  if (!URL.canParse(given, ownOrigin) || !/^(https?:\/\/|\/)/i.test(given)) return undefined
  const url = new URL(given, ownOrigin)
  return url.origin === ownOrigin ? ownPage(url) : foreignPage(url)
}

function ownPage(url: URL): ThingRef | undefined {
  const [, page = '', one = '', two = ''] = url.pathname.split('/')
  if (page === 'why') {
    const id = url.searchParams.get('id')
    const type = withoutPage.find((known) => known === url.searchParams.get('type'))
    return type !== undefined && id !== null ? { type, id } : undefined
  }
  if (page === 'agents') return one === 'runs' && two !== '' ? { type: 'run', id: two } : undefined
  if (page === 'logs') {
    const request = url.searchParams.get('request')
    return request === null ? undefined : { type: 'request', id: request }
  }
  const decision = url.searchParams.get('decision')
  if (page === 'initiatives' && decision !== null) return { type: 'decision', id: decision }
  const known = Object.hasOwn(pages, page) ? pages[page] : undefined
  return known && one !== '' ? { type: known, id: decodeURIComponent(one) } : undefined
}

function foreignPage(url: URL): ThingRef | undefined {
  const [, sha] = /\/commits?\/([0-9a-f]{7,64})$/i.exec(url.pathname) ?? []
  if (sha !== undefined) return { type: 'commit', id: sha }
  return /\/\d{1,10}(\/|$)/.test(url.pathname)
    ? { type: 'pull_request', id: `${url.origin}${url.pathname}` }
    : undefined
}
