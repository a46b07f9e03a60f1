import type { EvidenceItem } from '#initiatives/contract'

/** Documents have their parts under headings of the second level; text inside has none above the third. */
export function section(title: string, body: string): string {
  const text = body.trim()
  return text === '' ? '' : `## ${title}\n\n${text}\n`
}

/** A text that somebody wrote, without headings that would look like those of the document. */
export function inside(text: string): string {
  return text.trim().replace(/^ {0,3}#{1,2}(?=\s|$)/gm, '###')
}

/** Parts by heading, in small letters; what comes before the first is under the empty name. */
export function readSections(content: string): Map<string, string> {
  const sections = new Map<string, string>()
  let name = ''
  let lines: string[] = []
  const close = (): void => {
    const body = lines.join('\n').trim()
    if (!sections.has(name)) sections.set(name, body)
    lines = []
  }
  for (const line of content.split(/\r?\n/)) {
    const heading = /^## +(\S.*)$/s.exec(line)?.[1]?.trimEnd()
    if (heading === undefined) {
      lines.push(line)
      continue
    }
    close()
    name = heading.toLowerCase()
  }
  close()
  return sections
}

/** Entries of a list, with the lines that belong to them. */
export function readList(body: string): string[] {
  const items: string[] = []
  for (const line of body.split('\n')) {
    const item = /^[-*] +(.*)$/s.exec(line)?.[1]
    if (item !== undefined) items.push(item)
    else if (line.trim() !== '' && items.length > 0) items[items.length - 1] += `\n${line.trim()}`
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

export const writeList = (items: readonly string[]): string =>
  items.map((item) => `- ${inside(item).replaceAll(/\n+/g, '\n  ')}`).join('\n')

export function evidenceList(evidence: readonly EvidenceItem[]): string {
  return evidence.map(({ title, url, quote }) => `- ${link(title, url)}${quoted(quote)}`).join('\n')
}

const quoted = (quote: string | undefined): string =>
  quote === undefined || quote.trim() === '' ? '' : `: “${oneLine(quote)}”`

/** A Markdown link whose title and address cannot end it early. */
export function link(title: string, url: string): string {
  const name = oneLine(title).replaceAll(/[[\]\\`*_<>]/g, String.raw`\$&`)
  return `[${name}](<${url.replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character))}>)`
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Those that the document still names. */
export function keptEvidence(content: string, evidence: readonly EvidenceItem[]): EvidenceItem[] {
  const named = readSections(content).get('evidence') ?? ''
  return evidence.filter(({ title, url }) => named.includes(link(title, url)) || named.includes(url))
}
