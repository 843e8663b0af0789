import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  html: { cspNonce: 'nonce-of-this-answer' }, // internal/api/home.go puts the answer's own in its place
  build: { outDir: 'dist', emptyOutDir: false, manifest: 'manifest.json', target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': process.env['KAKEAI_URL'] ?? 'http://127.0.0.1:8080' } },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'jsdom' },
})
