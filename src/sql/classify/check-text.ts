import { commentDepth } from './lexer.ts'
import { ClassificationFault, type Kind } from './classification.ts'

/** What a text may have, in bytes of UTF-8. */
export const maxBytes: Record<Kind, number> = { execute: 64 * 1024, migrate: 1024 * 1024 }

/** The parser's time grows with the square of the depth: 40,000 levels take seconds. */
const maxCommentDepth = 100

/**
 * Refuses what must not reach the parser. It reads C strings, so U+0000 would hide the rest of the text from it;
 * half a surrogate pair would reach the server as another character.
 */
export function checkText(sql: string, kind: Kind): void {
  const bytes = Buffer.byteLength(sql)
  if (bytes > maxBytes[kind])
    throw refused(`sql must have at most ${maxBytes[kind]} bytes; it has ${bytes}.`, sql)
  const nul = sql.indexOf('\0')
  if (nul !== -1) throw refused('sql must not contain U+0000.', sql, nul)
  if (!sql.isWellFormed()) throw refused('sql must not contain half of a surrogate pair.', sql)
  if (mayNest(sql) && commentDepth(sql) > maxCommentDepth)
    throw refused(`sql must not nest comments deeper than ${maxCommentDepth} levels.`, sql)
}

/** Few texts open that many comments, even counting those in quotes. */
function mayNest(sql: string): boolean {
  let count = 0
  for (let at = sql.indexOf('/*'); at !== -1; at = sql.indexOf('/*', at + 1)) count += 1
  return count > maxCommentDepth
}

function refused(message: string, sql: string, position?: number): ClassificationFault {
  return new ClassificationFault('refused_text', message, {
    ...(position === undefined ? {} : { position }),
    safeText: sql.toWellFormed().replaceAll('\0', '\u{fffd}'),
  })
}
