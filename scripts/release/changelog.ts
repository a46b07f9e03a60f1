/** The changes of one version in CHANGELOG.md, which has the form of keepachangelog.com. */
export interface ReleaseNotes {
  date: string
  text: string
}

const heading = /^## \[([^\]]+)\](?: - (\S+))?$/

/** Throws what is missing: a release without a date or without changes is none. */
export function notesOf(changelog: string, version: string): ReleaseNotes {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => heading.exec(line)?.[1] === version)
  if (start < 0) throw new Error(`CHANGELOG.md has no section "## [${version}] - DATE".`)
  const date = heading.exec(lines[start] ?? '')?.[2] ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw new Error(
      `CHANGELOG.md: the section ${version} needs a date, as in "## [${version}] - 2026-11-18".`,
    )
  const length = lines.slice(start + 1).findIndex((line) => heading.test(line))
  const text = lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim()
  if (!/^- \S/m.test(text)) throw new Error(`CHANGELOG.md: the section ${version} lists no change.`)
  return { date, text }
}
