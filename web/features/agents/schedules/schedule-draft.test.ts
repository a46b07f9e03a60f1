import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronInWords } from '#agents/contract'
import { cronOf, draftOf, emptySchedule, type ScheduleDraft } from './schedule-draft.ts'

const chosen = (part: Partial<ScheduleDraft>): string => cronOf({ ...emptySchedule('UTC'), ...part })

test('what is chosen makes an expression, and the expression shows what was chosen', () => {
  for (const [part, cron] of [
    [{ rhythm: 'hour', time: '00:05' }, '5 * * * *'],
    [{ rhythm: 'day' }, '0 9 * * *'],
    [{ rhythm: 'weekday', time: '17:30' }, '30 17 * * 1-5'],
    [{ rhythm: 'week', weekday: '3' }, '0 9 * * 3'],
    [{ rhythm: 'month', day: '15' }, '0 9 15 * *'],
    [{ rhythm: 'custom', cron: ' */10 * * * * ' }, '*/10 * * * *'],
  ] as const) {
    assert.equal(chosen(part), cron)
    const draft = draftOf({ cron, time_zone: 'UTC', request: 'x', enabled: true })
    assert.deepEqual([draft.rhythm, cronOf(draft)], [part.rhythm, cron])
  }
})

test('expressions are put into words', () => {
  for (const [cron, words] of [
    ['0 9 * * *', 'every day at 9:00'],
    ['30 8,17 * * 1-5', 'every Monday to Friday at 8:30 and 17:30'],
    ['0 9 * * mon,wed', 'every Monday and Wednesday at 9:00'],
    ['0 0 * * 7', 'every Sunday at 0:00'],
    ['0 9 1 * *', 'on the 1. of every month at 9:00'],
    ['0 9 1,15 1 *', 'on the 1. and 15. of January at 9:00'],
    ['0 * * * *', 'every hour'],
    ['5 * * * *', 'every hour at minute 5'],
    ['*/15 * * * *', 'every 15 minutes'],
    ['*/15 * * * 1-5', 'every 15 minutes, every Monday to Friday'],
    ['0 */4 * * *', 'every 4 hours'],
    ['0 9 * 12 *', 'every day in December at 9:00'],
    ['0 9 1 * 1', 'at the times of “0 9 1 * 1”'],
    ['1-5 9 * * *', 'at the times of “1-5 9 * * *”'],
  ] as const)
    assert.equal(cronInWords(cron), words)
})
