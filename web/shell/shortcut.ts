/** A shortcut in the notation of this machine's keyboard. */
export function shortcut(key: string): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘${key}` : `Ctrl ${key}`
}
