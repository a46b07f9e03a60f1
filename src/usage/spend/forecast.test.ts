import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecastOf, type DayCost } from './forecast.ts'

const day = (date: string, cost: string): DayCost => ({ date: `2026-11-${date}`, cost })

test('the days that are left are the mean of their weekdays; the range takes the cheapest and the dearest', () => {
  // 26 November 2026 is a Thursday. Four are left after it: Friday 27th to Monday 30th.
  const costs = [
    ...[day('05', '4'), day('12', '6'), day('19', '8')], // Thursdays
    ...[day('06', '1'), day('13', '3'), day('20', '5')], // Fridays
    ...[day('09', '10'), day('16', '20'), day('23', '30')], // Mondays
    day('26', '2'),
  ]
  const forecast = forecastOf(costs, new Date('2026-11-26T09:30:00Z'))
  // Four weeks back is 29 October; the first day with spend is 5 November, so 21 days are looked at.
  assert.equal(forecast.days_used, 21)
  assert.equal(forecast.spent, '89')
  // Today 6 instead of 2 (the mean of 4, 6 and 8), Friday 3, Saturday and Sunday 0, Monday 20: 87 + 6 + 3 + 20.
  assert.equal(forecast.forecast, '116')
  // 87, today 4, Friday 1, Monday 10; and 87, today 8, Friday 5, Monday 30.
  assert.deepEqual([forecast.low, forecast.high], ['102', '130'])
  assert.equal(forecast.days.length, 30)
  assert.deepEqual(forecast.days.slice(25), [
    { date: '2026-11-26', cost: '2', is_forecast: false },
    { date: '2026-11-27', cost: '3', is_forecast: true },
    { date: '2026-11-28', cost: '0', is_forecast: true },
    { date: '2026-11-29', cost: '0', is_forecast: true },
    { date: '2026-11-30', cost: '20', is_forecast: true },
  ])
})

test('a dear day so far is not forecast to be cheaper than it is', () => {
  const { forecast, low } = forecastOf([day('29', '5'), day('30', '100')], new Date('2026-11-30T23:00:00Z'))
  assert.deepEqual([forecast, low], ['105', '105'])
})

test('a weekday that was not seen yet is like all days that were', () => {
  // Since Saturday 28th: Monday was not seen. Spent 2 + 4; today and nothing else is left, the mean of both is 3.
  const { forecast, days_used } = forecastOf(
    [day('28', '2'), day('29', '4')],
    new Date('2026-11-30T00:00:00Z'),
  )
  assert.deepEqual([forecast, days_used], ['9', 2])
})

test('without a whole day of usage there is no forecast', () => {
  const none = forecastOf([day('30', '7')], new Date('2026-11-30T12:00:00Z'))
  assert.deepEqual(
    [none.spent, none.forecast, none.low, none.high, none.days_used],
    ['7', null, null, null, 0],
  )
})

test('a third is not rounded up: no digit is invented', () => {
  const costs = [day('09', '1'), day('16', '0'), day('23', '0')]
  const { forecast } = forecastOf(costs, new Date('2026-11-30T12:00:00Z'))
  assert.equal(forecast, '1.33333333')
})
