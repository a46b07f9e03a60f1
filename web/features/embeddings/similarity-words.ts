/**
 * What a similarity means for the model that ships, by the 135 graded pairs of its evaluation: unrelated ones stay below
 * 0.15, three of four that say the same are above 0.55, and a shared word in another sense reaches 0.5.
 */
const steps = [
  { from: 0.85, words: 'Nearly the same words' },
  { from: 0.55, words: 'About the same thing' },
  { from: 0.35, words: 'Related, or the same words in another sense' },
  { from: 0.15, words: 'Loosely related' },
]

export const shippedWords = (similarity: number): string =>
  steps.find(({ from }) => similarity >= from)?.words ?? 'Unrelated'

/** With a real minus, and no "-0.00". */
export const similarityText = (similarity: number, digits: number): string =>
  similarity
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, '')
    .replace('-', '−')

/** Two vectors that differ by no more than rounding. */
export const isSame = (similarity: number): boolean => similarity > 0.999_99
