import type { StandupEvent } from '../contract.ts'
import type { AskedQuestion } from '../tables.ts'
import { oneLine, readSections } from './sections.ts'

const maxText = 2_000
const maxAnswer = 1_000

const shortened = (text: string, maximum: number): string => {
  const line = oneLine(text)
  return line.length > maximum ? `${line.slice(0, maximum - 1).toWellFormed()}…` : line
}

/** Questions of the agent, each once, with what the person said next. */
export function askedQuestions(events: readonly StandupEvent[]): AskedQuestion[] {
  const asked = new Map<string, AskedQuestion>()
  events.forEach((event, index) => {
    if (event.type !== 'question') return
    const answer = events.slice(index + 1).find((later) => later.type === 'message' && later.role === 'user')
    const said = answer?.type === 'message' ? answer : undefined
    asked.set(event.question_id, {
      id: event.question_id,
      text: shortened(event.content, maxText),
      category: event.category,
      answer: said ? shortened(said.content, maxAnswer) : null,
      answered_by: said?.author ?? null,
    })
  })
  return [...asked.values()]
}

const questionLine = ({ text, category }: AskedQuestion): string => `- ${text} (${category})`
const answerLine = ({ answer, answered_by }: AskedQuestion): string =>
  `  Answer (${oneLine(answered_by ?? 'a person')}): ${answer}`

export function writeQuestions(questions: readonly AskedQuestion[]): string {
  return questions
    .flatMap((question) => [
      questionLine(question),
      ...(question.answer === null ? [] : [answerLine(question)]),
    ])
    .join('\n')
}

/** Those that the notes still have, with the answers that they still have. */
export function keptQuestions(content: string, questions: readonly AskedQuestion[]): AskedQuestion[] {
  const lines = (readSections(content).get('questions') ?? '').split('\n').map((line) => line.trim())
  return questions
    .filter((question) => lines.includes(questionLine(question)))
    .map((question) =>
      lines.includes(answerLine(question).trim())
        ? question
        : { ...question, answer: null, answered_by: null },
    )
}
