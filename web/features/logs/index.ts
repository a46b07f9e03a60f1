/** What pages of things show of their requests. */
export { RecentRequests } from './recent-requests.tsx'
