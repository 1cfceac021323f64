import { dirname } from 'node:path';
import { ourFiles, textOf } from './files.mjs';

const LANGUAGES = ['en-US', 'zh-CN', 'zh-TW'];

/**
 * In every locales folder the three languages must have the same keys, no empty text, and the same {{placeholders}}. Only English
 * has singulars.
 */
export function checkLocales() {
  const files = ourFiles().filter((path) => /\/src\/locales\/[^/]+\.json$/.test(path));
  return [...new Set(files.map((path) => dirname(path)))].flatMap(checkFolder);
}

function checkFolder(folder) {
  const [reference, ...others] = LANGUAGES.map((language) => read(`${folder}/${language}.json`));
  const problems = [reference, ...others].flatMap((locale) => locale.problems);
  for (const [key, text] of reference.texts) {
    if (isSingular(key, reference.texts)) continue;
    for (const other of others) {
      const translated = other.texts.get(key);
      if (translated === undefined) problems.push(`${other.path}: ${key} is missing`);
      else if (placeholders(text) !== placeholders(translated)) {
        problems.push(
          `${other.path}: ${key} has {${placeholders(translated)}} where English has {${placeholders(text)}}`,
        );
      }
    }
  }
  for (const other of others) {
    for (const key of other.texts.keys()) {
      if (!reference.texts.has(key)) problems.push(`${other.path}: ${key} is not in ${reference.path}`);
    }
  }
  return problems;
}

/**
 * Whether the key is a singular, such as `rows_one` beside `rows`: i18next uses it for a count of one, in languages with a
 * singular.
 */
function isSingular(key, texts) {
  return key.endsWith('_one') && texts.has(key.slice(0, -'_one'.length));
}

function read(path) {
  const locale = { path, texts: new Map(), problems: [] };
  let content;
  try {
    content = JSON.parse(textOf(path));
  } catch (error) {
    locale.problems.push(`${path}: ${error.message}`);
    return locale;
  }
  const visit = (value, key) => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(inner, key ? `${key}.${name}` : name);
    } else {
      const text = typeof value === 'string' ? value.trim() : '';
      if (text === '') locale.problems.push(`${path}: ${key} is empty`);
      locale.texts.set(key, text);
    }
  };
  visit(content, '');
  return locale;
}

/**
 * The placeholders of a text: i18next's {{name}} and {{name, format}}, and our own {name}. Their order may differ, because grammars
 * differ.
 */
function placeholders(text) {
  const names = [...text.matchAll(/\{\{?\s*([\w.]+)[^}]*\}?\}/g)].map(([, name]) => name);
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1)).join(', ');
}
