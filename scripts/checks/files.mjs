import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';

/** Every file of ours, by its path from the root, without what .gitignore names. Does not need git. */
export function ourFiles() {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (entry) =>
    entry.name === '.git' ||
    ignored.some((rule) => {
      if (rule.endsWith('/')) return entry.isDirectory() && entry.name === rule.slice(0, -1);
      return rule.startsWith('*') ? entry.name.endsWith(rule.slice(1)) : entry.name === rule;
    });
  const walk = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => !isIgnored(entry))
      .flatMap((entry) => {
        const path = folder ? `${folder}/${entry.name}` : entry.name;
        if (entry.isDirectory()) return walk(path);
        return entry.isFile() ? [path] : [];
      });
  return walk('');
}

export function textOf(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** One problem for each line of a file that matches `pattern`. */
export function linesMatching(path, pattern, complaint) {
  return textOf(path)
    .split('\n')
    .flatMap((line, index) =>
      pattern.test(line) ? [`${path}:${index + 1}: ${complaint}: ${line.trim()}`] : [],
    );
}
