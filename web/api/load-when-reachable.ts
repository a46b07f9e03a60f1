import { call } from './client.ts'

const retryEvery = 2000

/**
 * Imports a lazy part of the dashboard. While the server is unavailable it waits, and the banner says why. Without
 * this the router would reload the page at once, and the browser's own error page would replace it.
 */
export async function loadWhenReachable<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    // The server is there and the file is not: a new version was installed, and the router reloads the page.
    if (await serverResponds()) throw error
  }
  while (!(await serverResponds())) await new Promise((resolve) => setTimeout(resolve, retryEvery))
  // Browsers remember imports that failed; only a fresh page asks for the file again.
  location.reload()
  return new Promise(() => {})
}

const serverResponds = (): Promise<boolean> =>
  call('GET', '/livez').then(
    () => true,
    () => false,
  )
