import { Letter, letterOf } from './letter.tsx'
import { similarityText } from './similarity-words.ts'
import type { Pair } from './vectors.ts'

/** Every pair of texts; the more similar, the stronger the colour. */
export function SimilarityMatrix({ count, pairs }: { count: number; pairs: readonly Pair[] }) {
  const places = Array.from({ length: count }, (_, index) => index)
  const between = (one: number, other: number): number =>
    pairs.find(({ first, second }) => first === Math.min(one, other) && second === Math.max(one, other))
      ?.similarity ?? 1
  return (
    <table className="mt-5 w-full table-fixed border-separate border-spacing-1 text-sm">
      <caption className="sr-only">Similarity of each pair of texts</caption>
      <thead>
        <tr>
          <td className="w-8" />
          {places.map((column) => (
            <th key={column} scope="col" aria-label={`Text ${letterOf(column)}`} className="pb-1">
              <Letter index={column} className="mx-auto" />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((row) => (
          <tr key={row}>
            <th scope="row" aria-label={`Text ${letterOf(row)}`}>
              <Letter index={row} />
            </th>
            {places.map((column) => (
              <Cell key={column} value={between(row, column)} isSelf={row === column} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ value, isSelf }: { value: number; isSelf: boolean }) {
  if (isSelf)
    return (
      <td className="h-11 rounded-lg bg-sunken text-center text-ink-faint">
        <span aria-label="same text">–</span>
      </td>
    )
  const strength = `${(Math.max(0, value) * 80).toFixed(0)}%`
  return (
    <td
      className="h-11 rounded-lg text-center font-medium"
      style={{
        background: `color-mix(in srgb, var(--primary) ${strength}, var(--sunken))`,
        color: inkOn(value),
      }}
    >
      {similarityText(value, 2)}
    </td>
  )
}

/** Dark text on strongly coloured cells, in both themes. */
const inkOn = (value: number): string => (value > 0.6 ? 'var(--on-primary)' : 'var(--ink)')
