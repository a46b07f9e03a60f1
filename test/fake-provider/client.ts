import { arrayOf, objectOf, parseJson, stringOf } from './json.ts'

/** What the tests need to speak to the server by hand. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  })
}

export interface ServerEvent {
  name: string | undefined
  data: unknown
}

/** Reads a whole stream; comments are left out, what is not JSON stays text. */
export async function eventsOf(response: Response): Promise<ServerEvent[]> {
  const text = await response.text()
  return text
    .split(/\r?\n\r?\n/)
    .filter((block) => block.trim() !== '' && !block.startsWith(':'))
    .map((block) => {
      const name = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? ''
      return { name, data: parseJson(data) ?? data }
    })
}

/** Walks into JSON: `at(value, 'choices', 0, 'delta')`. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (held, step) => (typeof step === 'number' ? arrayOf(held).at(step) : objectOf(held)[step]),
    value,
  )
}

export function joined(events: ServerEvent[], ...path: (string | number)[]): string {
  return events.map((event) => stringOf(at(event.data, ...path))).join('')
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
