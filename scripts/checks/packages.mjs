import { importsOf } from './rooms.mjs';

/** The package of an import; undefined for files, Node's own modules and those the build makes. */
function packageOf(specifier) {
  if (/^(?:[./]|node:|virtual:|https?:|data:)/.test(specifier)) return undefined;
  const [first, second] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Packages that a file imports and none of these package.json (`declared`) names. */
export function undeclaredImports(path, text, ...declared) {
  const known = new Set(
    declared.flatMap((each) => [
      each.name,
      ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((part) =>
        Object.keys(each[part] ?? {}),
      ),
    ]),
  );
  return [...new Set(importsOf(text).map(packageOf))]
    .filter((name) => name !== undefined && !known.has(name) && !known.has(`@types/${name}`))
    .map((name) => `${path}: imports ${name}, which its package.json does not declare`);
}
