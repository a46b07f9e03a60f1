/**
 * An address that a link may lead to: a page of the dashboard or one with http or https. What a model or a stranger
 * wrote is not trusted to be one; undefined for everything else.
 */
export function pageAddress(text: string): string | undefined {
  const origin = 'https://page.invalid'
  let url: URL
  try {
    url = new URL(text, origin)
  } catch {
    return undefined
  }
  if (url.origin === origin)
    return /^\/(?:[a-z]|$)/.test(text) && !/^\/(?:api|v1)(?:\/|$)/.test(url.pathname)
      ? `${url.pathname}${url.search}${url.hash}`
      : undefined
  return /^https?:\/\//i.test(text) ? url.href : undefined
}
