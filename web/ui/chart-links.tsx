import { useCallback } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'

/** The rows behind a part of a chart. */
export interface RecordsLink {
  to: string
  search: Record<string, unknown>
}

/** What a chart needs to lead from a step, or one of its series, to the records behind it. */
export function useChartLinks(
  linkOf: (index: number, series: string | undefined) => RecordsLink | undefined,
) {
  const navigate = useNavigate()
  const onPick = useCallback(
    (index: number, series: string | undefined) => {
      const link = linkOf(index, series)
      if (link) void navigate(link)
    },
    [linkOf, navigate],
  )
  const linkCell = (index: number, series: string | undefined, text: string) => {
    const link = text === '0' || text === '–' ? undefined : linkOf(index, series)
    return link ? (
      <Link to={link.to} search={link.search} className="hover:underline">
        {text}
      </Link>
    ) : (
      text
    )
  }
  return { onPick, linkCell }
}
