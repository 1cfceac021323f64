import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractEndpoints, entryTexts, paintAfterScript, settingUnits } from './vite-plugins.ts';

export default defineConfig({
  base: '/',
  plugins: [react(), contractEndpoints(), settingUnits(), entryTexts(), paintAfterScript()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The sign-in page lists every file of the console. One letter less in each name saves 0.2 kB of it, compressed.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Few files, each with what is needed together: the start, the prefetched data, the shell, what all lists share, and then
        // one file per screen.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: 'prefetch', test: /console[\\/]src[\\/]prefetch\.ts$/, priority: 3 },
            { name: 'shell', test: /console[\\/]src[\\/]app\.tsx$/, priority: 2 },
            { name: 'list', test: /operator-table[\\/]list-screen\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/v1.0': { target: 'http://127.0.0.1:8080', ws: true } } },
});
