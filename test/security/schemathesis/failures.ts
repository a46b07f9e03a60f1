import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { accepted } from './accepted.ts'

/** One case that failed a check, as schemathesis writes it. */
interface Failure {
  type: string
  title: string
  operation: string
}

interface Recorder {
  checks?: Record<string, { status: string; failure_info?: { failure: Failure } }[]>
  interactions?: Record<string, { response?: { status_code: number; content?: { $base64?: string } } }>
}

/** Everything in a report by events that is not accepted, each operation and response once. */
export async function notAccepted(report: string): Promise<string[]> {
  const found = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(report) })) {
    if (!line.startsWith('{"ScenarioFinished"') || !line.includes('"failure_info"')) continue
    const { recorder } = (JSON.parse(line) as { ScenarioFinished: { recorder: Recorder } }).ScenarioFinished
    for (const [id, checks] of Object.entries(recorder.checks ?? {}))
      for (const { failure_info: info } of checks) {
        const failure = info?.failure
        const response = responseOf(recorder, id)
        if (failure && !isAccepted(failure, response))
          found.add(`${failure.operation}: ${failure.title} (${failure.type}), ${response.slice(0, 200)}`)
      }
  }
  return [...found].toSorted()
}

const isAccepted = ({ type, operation }: Failure, answer: string): boolean =>
  accepted.some(
    (each) => each.type === type && each.operation.test(operation) && (each.response?.test(answer) ?? true),
  )

/** The status and the message of our response. */
function responseOf({ interactions }: Recorder, id: string): string {
  const response = interactions?.[id]?.response
  if (!response) return 'no response'
  const text = Buffer.from(response.content?.$base64 ?? '', 'base64').toString()
  return `${response.status_code} ${messageIn(text)}`
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } }
    return error?.message ?? text
  } catch {
    return text
  }
}
