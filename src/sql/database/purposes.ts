import type { Place } from './places.ts'

const purposes: Readonly<Record<string, string>> = {
  status:
    'The records of Signalbox: services, deployments, tickets, devlogs, initiatives, skills and learnings.',
  calendar:
    'For calendars and schedules that agents keep: meetings, on-call shifts, reminders. It is empty at first, and Signalbox itself stores nothing in it.',
  application:
    'For the data of an application, and to try agents before you connect a database of your own. It is empty at first.',
}

/** What a database of our own server is for. */
export const purposeOf = ({ name, kind }: Pick<Place, 'name' | 'kind'>): string | null =>
  kind === 'foreign' ? null : (purposes[name] ?? null)
