/** What GitHub and GitLab close when the request is merged: `Fixes #12`, or the address of the issue. */
const closing =
  /\b(?:close[sd]?|closing|fix(?:e[sd]|ing)?|resolve[sd]?|resolving):?[ \t]{1,3}(#\d{1,9}|https?:\/\/[^\s<>()[\]"']{1,500})/gi

const maxIssues = 50

/** Addresses of the issues that the text says it closes; `base` is where the issues of its repository are. */
export function closedIssues(text: string | null, base: string): string[] {
  const found = [...(text ?? '').matchAll(closing)].map(([, issue = '']) =>
    issue.startsWith('#') ? `${base}/${issue.slice(1)}` : issue.replace(/[.,;:!?]$/, ''),
  )
  return [...new Set(found)].slice(0, maxIssues)
}

/** One that the database takes. */
export const isNumber = (number: number): boolean =>
  Number.isInteger(number) && number > 0 && number < 2 ** 31
