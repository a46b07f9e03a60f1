/** Something that happened to a thing. */
export interface Moment {
  at: string
  title: string
  /** What kind of thing it is about. */
  kind?: string | undefined
  /** Where it leads to: a page of the dashboard. */
  href?: string | undefined
  /** Who did it. */
  by?: string | undefined
  tone?: 'good' | 'bad' | 'plain'
}

/** An event is written a moment after what it is about. */
const isSame = (one: Moment, other: Moment): boolean =>
  Math.abs(Date.parse(one.at) - Date.parse(other.at)) < 1_500

/** Both, without events of the console that say what the thing itself says. */
export const withEvents = (own: readonly Moment[], events: readonly Moment[]): Moment[] => [
  ...own,
  ...events.filter((event) => !own.some((each) => isSame(each, event))),
]
