import { parseSync } from 'vite'
import type { Expression } from './attack.ts'

/** Every regular expression that a file has as a literal. */
export function literalsOf(file: string, source: string): Expression[] {
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex) found.push({ source: regex.pattern, flags: regex.flags })
    for (const member of Object.values(node)) visit(member)
  }
  visit(parseSync(file, source).program)
  return found
}
