import { defineConfig, type Plugin } from 'vite';
import { contractEndpoints, entryTexts, paintAfterScript, phoneTexts } from '../vite-plugins.ts';

const HOME = '/m/';

/** Tells the service worker what the shell is: the page, what it is made of, and its pictures. */
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

/** The supplier's phone: the console's rooms without React and antd, built by itself so that the two share no file. */
export default defineConfig({
  base: HOME,
  plugins: [contractEndpoints(), entryTexts(), phoneTexts(), paintAfterScript(), shellOfWorker()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', worker: '../src/phone/worker.ts' },
      // At one address for ever: a browser finds the next worker where it found the last.
      output: { entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: { port: 5174, proxy: { '/v1.0': 'http://127.0.0.1:8080', '/mark.svg': 'http://127.0.0.1:8080' } },
});
