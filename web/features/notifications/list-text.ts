/** The first of them, and how many more there are. */
export const listText = (names: readonly string[], shown = 2): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`
