/** The colours of charts that stand for things with names. */
const colours = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
  '--series-7',
  '--series-8',
]

/**
 * A colour for each name. A name keeps its colour when periods and filters change, because it follows from the name;
 * only where two names of one chart want the same colour does the later one by alphabet take the next free one.
 */
export function coloursOf(names: readonly string[]): Map<string, string> {
  const taken = new Map<number, string>()
  for (const name of names.toSorted()) {
    let place = hash(name) % colours.length
    for (let tries = 0; taken.has(place) && tries < colours.length; tries++)
      place = (place + 1) % colours.length
    taken.set(place, name)
  }
  return new Map([...taken].map(([place, name]) => [name, colours[place] ?? '--series-rest']))
}

/** FNV-1a: spreads similar names, such as versions of a model. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
