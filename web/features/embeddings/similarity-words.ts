/**
 * What a similarity means for the built-in model, from the 135 graded pairs of its evaluation: unrelated pairs stay
 * below 0.15, three of four with the same meaning are above 0.55, and a shared word in another sense reaches 0.5.
 */
const steps = [
  { from: 0.85, words: 'Nearly identical' },
  { from: 0.55, words: 'Same topic' },
  { from: 0.35, words: 'Related, or same words with another meaning' },
  { from: 0.15, words: 'Loosely related' },
]

export const builtInModelWords = (similarity: number): string =>
  steps.find(({ from }) => similarity >= from)?.words ?? 'Unrelated'

/** With a minus sign instead of a hyphen, and no "-0.00". */
export const similarityText = (similarity: number, digits: number): string =>
  similarity
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, '')
    .replace('-', '−')

/** Whether two vectors differ only by rounding. */
export const isSame = (similarity: number): boolean => similarity > 0.999_99
