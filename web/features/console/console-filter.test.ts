import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleEvent } from '#console/contract'
import { exclude, flip, include, toggleMetadata, withSeverity, withoutTerm } from './console-filter.ts'
import { matches } from './matches.ts'
import { metadataTerm, termText } from './metadata-terms.ts'

const event = (parts: Partial<ConsoleEvent> = {}) =>
  ({ type: 'error', severity: 'error', service: 'api', source: 'gateway', ...parts }) as ConsoleEvent

test('included values are alternatives; an excluded value always loses', () => {
  assert.equal(matches({}, event()), true)
  assert.equal(matches({ service: ['api', 'web'] }, event()), true)
  assert.equal(matches({ service: ['web'] }, event()), false)
  assert.equal(matches({ service: ['!api'] }, event()), false)
  assert.equal(matches({ service: ['!web'] }, event()), true)
  assert.equal(matches({ service: ['api'], type: ['!error'] }, event()), false)
})

test('an event without a service matches an exclusion, never an inclusion', () => {
  assert.equal(matches({ service: ['api'] }, event({ service: null })), false)
  assert.equal(matches({ service: ['!api'] }, event({ service: null })), true)
})

test('a severity means that level and above', () => {
  assert.equal(matches({ severity: 'warning' }, event({ severity: 'critical' })), true)
  assert.equal(matches({ severity: 'warning' }, event({ severity: 'warning' })), true)
  assert.equal(matches({ severity: 'warning' }, event({ severity: 'info' })), false)
})

test('a value is included, excluded or neither, never both', () => {
  const included = include({}, 'service', 'api')
  assert.deepEqual(included, { service: ['api'] })
  assert.deepEqual(include(included, 'service', 'web'), { service: ['api', 'web'] })
  assert.deepEqual(exclude(included, 'service', 'api'), { service: ['!api'] })
  assert.deepEqual(flip(included, 'service', 'api'), { service: ['!api'] })
  assert.deepEqual(flip({ service: ['!api'] }, 'service', '!api'), included)
  assert.deepEqual(include(included, 'service', 'api'), {})
  assert.deepEqual(withoutTerm({ q: 'x', service: ['!api', 'web'] }, 'service', '!api'), {
    q: 'x',
    service: ['web'],
  })
})

test('the same severity a second time shows all levels', () => {
  assert.deepEqual(withSeverity({}, 'error'), { severity: 'error' })
  assert.deepEqual(withSeverity({ severity: 'error' }, 'error'), {})
  assert.deepEqual(withSeverity({ severity: 'error' }, undefined), {})
})

test('a value of the metadata is shown only, hidden or neither; the words of a search give way', () => {
  const metadata = { request: { path: '/a,b:c!' }, retries: 3 }
  const term = metadataTerm(['request', 'path'], '/a,b:c!')
  assert.equal(term, 'request/path:%2Fa%2Cb%3Ac%21')
  assert.equal(termText(`!${term}`), 'not request.path: /a,b:c!')
  const shown = toggleMetadata({ q: 'words', severity: 'error' }, term, false)
  assert.deepEqual(shown, { severity: 'error', metadata: [term] })
  assert.equal(matches(shown, event({ metadata })), true)
  assert.equal(matches(shown, event({ metadata: {} })), false)
  const hidden = toggleMetadata(shown, term, true)
  assert.deepEqual(hidden.metadata, [`!${term}`])
  assert.equal(matches(hidden, event({ metadata })), false)
  assert.deepEqual(toggleMetadata(hidden, term, true), { severity: 'error' })
  assert.equal(matches({ metadata: ['retries:3'] }, event({ metadata })), true)
})
