import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { type Endpoint, isEndpoint } from '@sangam/contract/endpoint.ts';
import * as areas from '@sangam/contract/endpoints/areas.ts';
import { LOCALES } from '@sangam/contract/locale.ts';
import { type Setting, SETTINGS } from '@sangam/contract/settings.ts';

/** What the console needs of an endpoint. The duty is left out where every user of a party may make the call. */
function callOf({ method, path, access, duty }: Endpoint) {
  return { method, path, access, ...(duty !== undefined && duty !== 'own' && { duty }) };
}

/**
 * At run time the console needs the contract's paths and roles; it needs the schemas only as types. This module is the contract
 * without schemas, so zod stays out of the browser. Its types are in src/http/endpoints.d.ts.
 */
export function contractEndpoints(): Plugin {
  const name = 'virtual:endpoints';
  const table = Object.fromEntries(
    Object.entries(areas).map(([area, members]) => [
      area,
      Object.fromEntries(
        Object.entries<unknown>(members).flatMap(([key, value]) =>
          isEndpoint(value) ? [[key, callOf(value)]] : [],
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
 * The units of the settings' numbers, from the contract's table of settings. The table's schemas stay out of the browser. Types:
 * src/figures/setting-units.d.ts.
 */
export function settingUnits(): Plugin {
  const name = 'virtual:setting-units';
  const units = Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([key, setting]) =>
      setting.units ? [[key, setting.units]] : [],
    ),
  );
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const units = ${JSON.stringify(units)};` : undefined),
  };
}

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const consoleTexts = (locale: string) => read(`src/locales/${locale}.json`);
const contractTexts = (locale: string) => read(`../contract/src/locales/${locale}.json`);

/**
 * The texts shown before the shell has loaded, in every language. The page that shows them comes in one file and does not wait for
 * the texts of the whole console. Types: src/sign-in/entry-texts.d.ts.
 */
export function entryTexts(): Plugin {
  const name = 'virtual:entry-texts';
  const textsOf = (locale: string) => {
    const { signIn, binding, setPasswords, figures, shell, errors } = consoleTexts(locale);
    const { language, appearance, appearances } = shell;
    const { noAnswer, passkey, newVersion, newVersionHint, offline, offlineHint, offlineBanner, reload } =
      errors;
    return {
      signIn,
      binding,
      setPasswords,
      figures,
      shell: { language, appearance, appearances },
      errors: { noAnswer, passkey, newVersion, newVersionHint, offline, offlineHint, offlineBanner, reload },
      sessionExpired: contractTexts(locale).codes.sessionExpired,
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

/**
 * The texts of the supplier's phone app, one module per language: the part of the console's texts that the app uses. Types:
 * src/phone/phone-texts.d.ts.
 */
export function phoneTexts(): Plugin {
  const name = 'virtual:phone-texts/';
  return {
    name,
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${name}`)) return undefined;
      const { phone, payouts, orders, actions, consequences, secondPassword, figures, errors, shell } =
        consoleTexts(id.slice(name.length + 1));
      const texts = { phone, payouts, orders, actions, secondPassword, figures, errors, shell };
      const consequence = {
        cancelClaim: consequences.payout.cancelClaim,
      };
      return `export const texts = ${JSON.stringify({ ...texts, consequence })};`;
    },
  };
}

/** Delays painting until the first small script has set the colours, so that dark mode does not start with a white flash. */
export function paintAfterScript(): Plugin {
  return {
    name: 'paint-after-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}
