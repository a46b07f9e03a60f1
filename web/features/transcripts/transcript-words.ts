import type { AssistantId, TranscriptSession } from '#transcripts/contract'

export const assistantNames: Record<AssistantId, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  copilot: 'Copilot CLI',
  pi: 'pi',
  cline: 'Cline',
}

export const titleOf = ({
  title,
  summary,
  assistant,
}: Pick<TranscriptSession, 'title' | 'summary' | 'assistant'>) =>
  title ?? summary?.split('\n', 1)[0] ?? `${assistantNames[assistant]} session`

/** The lines of a summary in one. */
export const summaryLine = (summary: string): string => summary.trim().replaceAll(/\s*\n\s*/g, ' · ')

/** The last two folders of a path: enough to recognise a project. */
export function shortPath(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return withRest(`${hours} h`, minutes % 60, 'min')
  return withRest(`${Math.floor(hours / 24)} d`, hours % 24, 'h')
}

const withRest = (text: string, rest: number, unit: string) => (rest === 0 ? text : `${text} ${rest} ${unit}`)

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const wholeDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

export const clockTime = (time: string): string => clock.format(new Date(time))
export const wholeDate = (time: string): string => wholeDay.format(new Date(time))
