/** Without what PostgreSQL cannot hold: models and tools may return any characters. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

export function storableJson(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  )
}
