import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { apiReferenceScript } from '../scripts/api-reference.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = 'http://127.0.0.1:8000'

/** Puts the script of the API reference beside the dashboard; the page loads it when it is opened. */
function apiReference(): Plugin {
  return {
    name: 'api-reference',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'api-reference.js', source: await apiReferenceScript() })
    },
  }
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), apiReference()],
  // The manifest is what the bundle budget is measured by.
  build: { outDir: here('dist'), emptyOutDir: true, manifest: true, target: 'es2022' },
  server: {
    proxy: {
      '/api': server,
      '/v1': server,
      '/health': server,
      '/openapi.json': server,
      '/api-reference.js': server,
      // The same address is a page for people and data for programs.
      '/providers': {
        target: server,
        bypass: ({ headers }) => (headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
})
