import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { isEndpoint } from '@sangam/contract/endpoint.ts';
import * as areas from '@sangam/contract/endpoints/areas.ts';
import { LOCALES } from '@sangam/contract/locale.ts';

/**
 * The console needs the contract's paths and roles at run time and its schemas only as types, so zod stays out of the
 * browser: this module is the contract with the schemas left out. Its types are in src/http/endpoints.d.ts.
 */
function contractEndpoints(): Plugin {
  const name = 'virtual:endpoints';
  const table = Object.fromEntries(
    Object.entries(areas).map(([area, members]) => [
      area,
      Object.fromEntries(
        Object.entries<unknown>(members).flatMap(([key, value]) =>
          isEndpoint(value) ? [[key, { method: value.method, path: value.path, access: value.access }]] : [],
        ),
      ),
    ]),
  );
  return {
    name,
    resolveId: (id) => (id === name || id.startsWith(`${name}/`) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${name}`) {
        const imports = Object.keys(areas).map((area) => `import { ${area} } from '${name}/${area}';`);
        return `${imports.join('')}export const endpoints = { ${Object.keys(areas).join()} };`;
      }
      const area = id.startsWith(`\0${name}/`) ? id.slice(name.length + 2) : undefined;
      return area && `export const ${area} = ${JSON.stringify(table[area])};`;
    },
  };
}

/**
 * What is said before the shell is there, of every language: the page that shows it comes in one file, without waiting for the
 * texts of the whole console. Its types are in src/sign-in/entry-texts.d.ts.
 */
function entryTexts(): Plugin {
  const name = 'virtual:entry-texts';
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const textsOf = (locale: string) => {
    const { signIn, binding, setPasswords, figures, shell, errors } = read(`src/locales/${locale}.json`);
    const { language, appearance, appearances } = shell;
    const { noAnswer, newVersion, newVersionHint, offline, offlineHint, offlineBanner, reload } = errors;
    return {
      signIn,
      binding,
      setPasswords,
      figures,
      shell: { language, appearance, appearances },
      errors: { noAnswer, newVersion, newVersionHint, offline, offlineHint, offlineBanner, reload },
      sessionExpired: read(`../contract/src/locales/${locale}.json`).codes.sessionExpired,
    };
  };
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      return `export const texts = ${JSON.stringify(Object.fromEntries(LOCALES.map((locale) => [locale, textsOf(locale)])))};`;
    },
  };
}

/** Nothing is painted before the first script, small as it is, has said in which colours: no flash of white in the dark. */
function paintAfterScript(): Plugin {
  return {
    name: 'paint-after-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}

export default defineConfig({
  base: '/',
  plugins: [react(), contractEndpoints(), entryTexts(), paintAfterScript()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files, each of what is needed together: the start, the head start of its data, the shell, what all lists have, and then
        // screen by screen.
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
