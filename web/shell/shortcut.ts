/** How a shortcut is written on this machine's keyboard. */
export function shortcut(key: string): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘${key}` : `Ctrl ${key}`
}
