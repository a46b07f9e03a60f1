let stopping: AbortController | undefined

/** Is aborted by the first signal that asks this process to end. */
export function stopSignal(): AbortSignal {
  if (stopping) return stopping.signal
  const controller = (stopping = new AbortController())
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new Error(name)))
  return controller.signal
}
