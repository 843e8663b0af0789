import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    react(),
    {
      // Mantine's scroll area takes one function from a package of one file; with it every table would load all that places menus.
      name: 'merge-refs-alone',
      enforce: 'pre',
      resolveId: (source, importer) => (source === '@floating-ui/react' && importer?.endsWith('/ScrollArea/ScrollArea.mjs') ? fileURLToPath(new URL('src/parts/mergeRefs.ts', import.meta.url)) : null),
    },
  ],
  html: { cspNonce: 'nonce-of-this-answer' }, // internal/api/home.go puts the answer's own in its place
  build: { outDir: 'dist', emptyOutDir: false, manifest: 'manifest.json', target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': process.env['KAKEAI_URL'] ?? 'http://127.0.0.1:8080' } },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'jsdom' },
})
