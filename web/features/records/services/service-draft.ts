import type { Service } from '#records/contract'

/** A service as the form holds it: numbers are texts while they are typed. */
export interface ServiceDraft {
  name: string
  title: string
  description: string
  url: string
  interval_s: string
  timeout_ms: string
  expect_status: string
  failures_to_open: string
  passes_to_close: string
  allow_private: boolean
  is_public: boolean
}

export const newDraft: ServiceDraft = {
  name: '',
  title: '',
  description: '',
  url: '',
  interval_s: '60',
  timeout_ms: '10000',
  expect_status: '200',
  failures_to_open: '3',
  passes_to_close: '2',
  allow_private: false,
  is_public: false,
}

export function draftOf(service: Service): ServiceDraft {
  return {
    name: service.name,
    title: service.title,
    description: service.description,
    url: service.url ?? '',
    interval_s: String(service.interval_s),
    timeout_ms: String(service.timeout_ms),
    expect_status: String(service.expect_status),
    failures_to_open: String(service.failures_to_open),
    passes_to_close: String(service.passes_to_close),
    allow_private: service.allow_private,
    is_public: service.is_public,
  }
}

/** What the server takes, except the name, which cannot change. */
export function bodyOf(draft: ServiceDraft) {
  return {
    ...(draft.title.trim() !== '' && { title: draft.title.trim() }),
    description: draft.description.trim(),
    url: draft.url.trim() === '' ? null : draft.url.trim(),
    interval_s: Number(draft.interval_s),
    timeout_ms: Number(draft.timeout_ms),
    expect_status: Number(draft.expect_status),
    failures_to_open: Number(draft.failures_to_open),
    passes_to_close: Number(draft.passes_to_close),
    allow_private: draft.allow_private,
    is_public: draft.is_public,
  }
}
