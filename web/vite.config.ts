import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './compress-plugin.ts'
import { apiReference } from './api-reference-plugin.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const serverSource = `${here('..')}src/`
const server = 'http://127.0.0.1:8000'

export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), apiReference(), compressFiles(here('dist'))],
  // The manifest is what the bundle budget is measured by.
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    rolldownOptions: {
      // A page that takes one constant of a contract does not load its schemas, and with them zod.
      treeshake: { moduleSideEffects: (id) => !id.startsWith(serverSource) },
      // What many pages use comes as one file: a page is about 12 files in place of 47, and no larger.
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 10 }] } },
    },
  },
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
