import { fileURLToPath } from 'node:url'

/** Builds the dashboard after an install. Without the development packages there is nothing to build it with. */

const configFile = fileURLToPath(new URL('../web/vite.config.ts', import.meta.url))
const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'vite'")) return undefined
  throw error
})

if (vite) await vite.build({ configFile, logLevel: 'warn' })
else
  console.log(
    'Dashboard not built: vite is not installed. Install with the development packages to build it.',
  )
