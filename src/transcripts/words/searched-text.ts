/** So much of a text is searched. */
export const maxSearched = 32_768

/** The text of a message in which words are looked for. In the input of a tool, line ends are written as escapes. */
export function searchedText(content: string | null, toolInput: string | null): string {
  if (content !== null) return content.slice(0, maxSearched)
  return (toolInput ?? '').slice(0, maxSearched).replaceAll(/\\[nrt]/g, '  ')
}
