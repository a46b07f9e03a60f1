import type { CurrentGroup } from '../../api/session.ts'

/** Viewers read; everyone else reports and writes. */
export const mayWrite = ({ role }: CurrentGroup): boolean => role !== 'viewer'
