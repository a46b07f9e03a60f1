/** What other pages show of sessions. */
export { RecentSessions } from './recent-sessions.tsx'
