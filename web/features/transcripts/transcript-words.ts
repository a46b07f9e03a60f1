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
