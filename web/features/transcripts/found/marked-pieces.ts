interface Piece {
  text: string
  isMarked: boolean
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const plain = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

/** The excerpt of a hit as text: the server escapes it and adds nothing but `<mark>`. */
export function markedPieces(html: string): Piece[] {
  return html
    .split(/(<mark>[^]*?<\/mark>)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('<mark>')
        ? { text: plain(part.slice(6, -7)), isMarked: true }
        : { text: plain(part), isMarked: false },
    )
}
