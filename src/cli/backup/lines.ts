/**
 * Lines end at a line feed and nowhere else: texts may hold every other separator that readers of lines know, such as
 * U+2028, and PostgreSQL escapes only the line feed.
 */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      parts.push(piece.subarray(start, end))
      yield Buffer.concat(parts).toString()
      parts = []
      start = end + 1
    }
    if (start < piece.length) parts.push(piece.subarray(start))
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString()
}
