import { posix } from 'node:path';
import { importsOf } from './rooms.mjs';

/** The package of an import; undefined for files, Node's own modules and virtual modules of the build. */
function packageOf(specifier) {
  if (/^(?:[./]|node:|virtual:|https?:|data:)/.test(specifier)) return undefined;
  const [first, second] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Packages that a file imports and that no given package.json (`declared`) names, and imports of files of another workspace. */
export function undeclaredImports(path, text, ...declared) {
  const known = new Set(
    declared.flatMap((each) => [
      each.name,
      ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((part) =>
        Object.keys(each[part] ?? {}),
      ),
    ]),
  );
  const imports = [...new Set(importsOf(text))];
  const workspaceOf = (file) => file.slice(0, file.indexOf('/'));
  return [
    ...[...new Set(imports.map(packageOf))]
      .filter((name) => name !== undefined && !known.has(name) && !known.has(`@types/${name}`))
      .map((name) => `${path}: imports ${name}, which its package.json does not declare`),
    ...imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => posix.join(posix.dirname(path), specifier))
      .filter((file) => workspaceOf(file) !== workspaceOf(path))
      .map((file) => `${path}: imports ${file} of another workspace by its path, not by its package`),
  ];
}
