import assert from 'node:assert/strict'
import { test } from 'node:test'
import { difference, exactDollars, shortDollars, sumOf } from './money.ts'

test('an exact amount keeps every digit and has at least two decimals', () => {
  assert.equal(exactDollars('0.000000000405'), '$0.000000000405')
  assert.equal(exactDollars('1234567.8000'), '$1,234,567.80')
  assert.equal(exactDollars('3'), '$3.00')
  assert.equal(exactDollars('-0.5'), '−$0.50')
  assert.equal(exactDollars('9007199254740993.1'), '$9,007,199,254,740,993.10')
})

test('a short amount has two to four digits after the point, and is never rounded to zero', () => {
  assert.equal(shortDollars('1.2345'), '$1.23')
  assert.equal(shortDollars('0.0123456'), '$0.0123')
  assert.equal(shortDollars('0.0012345'), '$0.0012')
  assert.equal(shortDollars('0.00005'), '$0.0001')
  assert.equal(shortDollars('0.00004999'), '<$0.0001')
  assert.equal(shortDollars('0.9999999'), '$1.00')
  assert.equal(shortDollars('0.02'), '$0.02')
  assert.equal(shortDollars('0'), '$0.00')
  assert.equal(shortDollars('12345.675'), '$12,345.68')
  assert.equal(shortDollars('999999.99'), '$999,999.99')
  assert.equal(shortDollars('1234567.89'), '$1.23M')
  assert.equal(shortDollars('-2500000000'), '−$2.5B')
})

test('sums and differences are exact where floats are not', () => {
  assert.equal(sumOf(['0.1', '0.2', null]), '0.3')
  assert.equal(sumOf([]), '0')
  assert.equal(difference('0.3', '0.1'), '0.2')
  assert.equal(difference('0.1', '0.3'), '-0.2')
})
