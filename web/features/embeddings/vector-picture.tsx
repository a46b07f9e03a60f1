import { useState, type PointerEvent } from 'react'
import { largestOf } from './vectors.ts'
import { useNarrow } from '../../ui/use-narrow.ts'

/** 768 values fill both shapes without a gap. */
const wide = 96
const narrow = 48

/** The vector as coloured cells: amber above zero, blue below, stronger with distance from zero. */
export function VectorPicture({ vector }: { vector: readonly number[] }) {
  const columns = useNarrow() ? narrow : wide
  const [pointed, setPointed] = useState<number | null>(null)
  const largest = largestOf(vector) || 1
  const rows = Math.ceil(vector.length / columns)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const column = Math.floor(((event.clientX - left) / width) * columns)
    const row = Math.floor(((event.clientY - top) / height) * rows)
    const index = row * columns + column
    setPointed(index >= 0 && index < vector.length ? index : null)
  }
  const value = pointed === null ? undefined : vector[pointed]
  return (
    <figure>
      <svg
        role="img"
        aria-label={`The vector as ${vector.length} coloured cells`}
        viewBox={`0 0 ${columns} ${rows}`}
        className="block w-full rounded-lg border border-line bg-sunken"
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {vector.map((each, index) => (
          <rect
            key={index}
            x={(index % columns) + 0.04}
            y={Math.floor(index / columns) + 0.04}
            width={0.92}
            height={0.92}
            rx={0.14}
            fill={each < 0 ? 'var(--series-1)' : 'var(--primary)'}
            fillOpacity={index === pointed ? 1 : strengthOf(each, largest)}
          />
        ))}
      </svg>
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-faint">
        <Legend colour="var(--series-1)">below zero</Legend>
        <Legend colour="var(--primary)">above zero</Legend>
        <span className="ml-auto">
          {pointed === null || value === undefined
            ? 'point at a cell to see its value'
            : `value ${pointed + 1}: ${value.toFixed(6)}`}
        </span>
      </figcaption>
    </figure>
  )
}

/** Square root, because most values of a vector are small and would all look pale. */
const strengthOf = (value: number, largest: number): number =>
  Math.round(Math.sqrt(Math.abs(value) / largest) * 100) / 100

function Legend({ colour, children }: { colour: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className="size-2.5 rounded-xs" style={{ background: colour }} />
      {children}
    </span>
  )
}
