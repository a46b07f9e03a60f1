import type { SessionState } from '../store/session-store.ts'

const maxSentence = 280
const namedFiles = 5

type Facts = Pick<
  SessionState,
  'title' | 'first_prompt' | 'last_answer' | 'files_edited' | 'tool_call_count' | 'prompt_count' | 'links'
>

/** A summary from the session itself: what was asked, what changed, how it ended. Null while nothing was said. */
export function plainSummary(facts: Facts): string | null {
  const asked = firstSentence(facts.first_prompt)
  const parts = [
    asked === null || asked === facts.title ? null : `Asked: ${asked}`,
    editedFiles(facts.files_edited),
    activity(facts),
    outcome(facts.last_answer),
    ...facts.links.slice(0, 3).map(({ value }) => `Pull request: ${value}`),
  ].filter((part) => part !== null)
  if (asked === null && facts.last_answer === null) return null
  return parts.join('\n')
}

/** What a session is called that nobody named. */
export function titleFromPrompt(prompt: string | null): string | null {
  return firstSentence(prompt, 120)
}

function editedFiles(files: readonly string[]): string | null {
  if (files.length === 0) return null
  const names = files.slice(0, namedFiles).map((file) => file.split(/[/\\]/).at(-1) ?? file)
  const rest = files.length - names.length
  return `Edited ${counted(files.length, 'file')}: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function activity({ prompt_count: prompts, tool_call_count: calls }: Facts): string | null {
  if (prompts <= 1 && calls === 0) return null
  return `${counted(prompts, 'prompt')}, ${counted(calls, 'tool call')}`
}

/** The first words of the last answer usually say what was done. */
function outcome(answer: string | null): string | null {
  const text = firstSentence(answer)
  return text === null ? null : `Outcome: ${text}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function firstSentence(text: string | null, limit = maxSentence): string | null {
  const lines = (text ?? '').split('\n').map((line) => line.trim())
  const line =
    lines.find((each) => each !== '' && !/^(?:```|---|[<{[])/.test(each)) ?? lines.find((each) => each !== '')
  if (line === undefined) return null
  const plain = line
    .replace(/^[#>*\s-]+/, '')
    .replaceAll(/[*`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (plain === '') return null
  return plain.length <= limit
    ? plain
    : `${plain
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`
}
