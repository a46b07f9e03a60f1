/** A cron expression in words. Browser-safe. */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = [
  ...['', 'January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** Such as "every day at 9:00". What is unusual is given as it is. */
export function cronInWords(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/)
  const time = timeInWords(minute, hour)
  const when = daysInWords(day, month, weekday)
  if (time === undefined || when === undefined) return `at the times of “${cron.trim()}”`
  // "every hour" needs no "every day".
  if (time.isOften) return when === 'every day' ? time.text : `${time.text}, ${when}`
  return `${when} ${time.text}`
}

function timeInWords(minute: string, hour: string): { text: string; isOften: boolean } | undefined {
  const every = /^\*\/(\d{1,2})$/
  if (hour === '*') {
    if (minute === '*') return { text: 'every minute', isOften: true }
    const [, minutes] = every.exec(minute) ?? []
    if (minutes !== undefined) return { text: `every ${minutes} minutes`, isOften: true }
    if (/^\d{1,2}$/.test(minute))
      return { text: minute === '0' ? 'every hour' : `every hour at minute ${minute}`, isOften: true }
    return undefined
  }
  if (!/^\d{1,2}$/.test(minute)) return undefined
  const [, hours] = every.exec(hour) ?? []
  if (hours !== undefined)
    return { text: `every ${hours} hours${minute === '0' ? '' : ` at minute ${minute}`}`, isOften: true }
  if (!/^\d{1,2}(,\d{1,2})*$/.test(hour)) return undefined
  const times = hour.split(',').map((each) => `${Number(each)}:${minute.padStart(2, '0')}`)
  return { text: `at ${list(times)}`, isOften: false }
}

function daysInWords(day: string, month: string, weekday: string): string | undefined {
  const ofMonth = namesOf(month, months)
  if (ofMonth === undefined && month !== '*') return undefined
  const suffix = ofMonth === undefined ? '' : ` in ${ofMonth}`
  if (day === '*') {
    if (weekday === '*') return `every day${suffix}`
    const names = namesOf(weekday, days)
    return names === undefined ? undefined : `every ${names}${suffix}`
  }
  if (weekday !== '*' || !/^\d{1,2}(,\d{1,2})*$/.test(day)) return undefined
  const numbers = list(day.split(',').map((each) => `${Number(each)}.`))
  return ofMonth === undefined ? `on the ${numbers} of every month` : `on the ${numbers} of ${ofMonth}`
}

/** Of "1-5", "mon,wed" or "3"; undefined where it is something else. */
function namesOf(field: string, names: readonly string[]): string | undefined {
  const name = (text: string): string | undefined =>
    /^\d{1,2}$/.test(text)
      ? names[Number(text)]
      : names.find((each) => each !== '' && each.slice(0, 3).toLowerCase() === text.toLowerCase())
  const parts = field.split(',').map((part) => {
    const [from = '', to, ...more] = part.split('-')
    if (more.length > 0) return undefined
    const [first, last] = [name(from), to === undefined ? '' : name(to)]
    if (!first || last === undefined) return undefined
    return last === '' ? first : `${first} to ${last}`
  })
  return parts.every((part) => part !== undefined) ? list(parts) : undefined
}

const list = (parts: readonly (string | undefined)[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
