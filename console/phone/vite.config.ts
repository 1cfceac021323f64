import { defineConfig, type Plugin } from 'vite';
import { contractEndpoints, entryTexts, paintAfterScript, phoneTexts } from '../vite-plugins.ts';

const HOME = '/m/';

/** Writes into the service worker which files the app shell consists of: the page, its scripts and styles, and its pictures. */
function shellOfWorker(): Plugin {
  return {
    name: 'shell-of-worker',
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        const worker = bundle['worker.js'];
        if (worker?.type !== 'chunk') throw new Error('the service worker was not built');
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        const shell = [HOME, '/mark.svg', ...files.map((name) => HOME + name)];
        worker.code = `const SHELL=${JSON.stringify(shell)};${worker.code}`;
      },
    },
  };
}

/**
 * The supplier's phone app. It uses code of the console, but neither React nor antd. A build of its own keeps the two from sharing
 * files.
 */
export default defineConfig({
  base: HOME,
  plugins: [contractEndpoints(), entryTexts(), phoneTexts(), paintAfterScript(), shellOfWorker()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', worker: '../src/phone/worker.ts' },
      // The worker keeps one fixed address: a browser looks for the next version where it found the last one.
      output: { entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: { port: 5174, proxy: { '/v1.0': 'http://127.0.0.1:8080', '/mark.svg': 'http://127.0.0.1:8080' } },
});
