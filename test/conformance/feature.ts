import assert from 'node:assert/strict'
import type { FakeProvider, ProviderId } from '#test/gateway'
import type { Client, Failure } from './client.ts'

/** One cell of the board. */
export interface Cell {
  client: Client
  provider: ProviderId
  model: string
  fake: FakeProvider
}

export interface Feature {
  name: string
  about: string
  /** Other current models than the provider's example, where that one lacks the feature. */
  models?: Partial<Record<ProviderId, string>>
  exceptions?: readonly Exception[]
  /** The cells touch nothing in common and may run at once. */
  isConcurrent?: boolean
  check(cell: Cell): Promise<void>
}

/** A cell in which the feature cannot be had, and the proof of what happens instead. */
export interface Exception {
  provider?: ProviderId
  client?: string
  verdict: 'not offered' | 'client drops it'
  reason: string
  check(cell: Cell, feature: Feature): Promise<void>
}

export function exceptionFor(feature: Feature, { provider, client }: Cell): Exception | undefined {
  return feature.exceptions?.find(
    (each) =>
      (each.provider === undefined || each.provider === provider) &&
      (each.client === undefined || each.client === client.name),
  )
}

/** The provider has no such thing: the request is refused with 400 and the field is named. */
export function refused(provider: ProviderId, field: string, reason: string): Exception {
  return {
    provider,
    verdict: 'not offered',
    reason: `${reason}; returns 400 and names \`${field}\``,
    async check(cell, feature) {
      const failure = await failureOf(cell.client, feature.check(cell))
      assert.deepEqual([failure.status, failure.param], [400, field], failure.message)
    },
  }
}

export async function failureOf(client: Client, call: Promise<unknown>): Promise<Failure> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  assert.ok(outcome, 'the call was to fail')
  return client.failure(outcome.error)
}

/** The same feature where it cannot be had elsewhere than before. */
export function withExceptions(feature: Feature, exceptions: readonly Exception[]): Feature {
  return { ...feature, exceptions }
}

export function named(features: readonly Feature[], name: string): Feature {
  const found = features.find((feature) => feature.name === name)
  assert.ok(found, name)
  return found
}
