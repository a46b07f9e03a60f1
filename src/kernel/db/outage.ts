/** Whether the database is there, but a statement took longer than it may, or no connection became free in time. */
export function isDatabaseBusy(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  return code === '57014' || (code === undefined && message.startsWith(noConnection))
}

/** How errors of the pool begin. */
export const noConnection = 'timeout exceeded when trying to connect'

/** Whether an error says that the database cannot be reached now, rather than that a query was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (/^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)) return true
  // 57P: the server is shutting down or starting; 08: connection exceptions; 53300: too many connections.
  if (/^(57P|08|53300)/.test(code)) return true
  // 22 and 23: the message quotes a value of the request, which may read like anything.
  if (/^2[23]/.test(code)) return false
  return /connection terminated|query read timeout|timeout exceeded when trying to connect|not currently accepting connections/i.test(
    message,
  )
}

/** NUL, numbers and dates out of range, and the like: what passed the schemas and no column can hold. */
const refusedValues = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05', '54000', '54001'])

/** Whether an error says that a value cannot be stored, now or later. */
export function isValueRefused(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && refusedValues.has(code)
}
