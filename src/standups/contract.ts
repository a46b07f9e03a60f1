/** Shapes of stand-ups: sessions, what is said, proposals, drafts. Browser-safe. */

export * from './shapes/bodies.ts'
export * from './shapes/brief.ts'
export * from './shapes/draft.ts'
export * from './shapes/event.ts'
export * from './shapes/guest.ts'
export * from './shapes/proposal.ts'
export * from './shapes/research.ts'
export * from './shapes/session.ts'
