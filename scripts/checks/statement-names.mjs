/**
 * Finds prepared statements of `hot()` that share a name. PostgreSQL refuses a second text under one name on the same connection,
 * so the error shows only where both have run. `files`: path and text of each.
 */
export function statementNames(files) {
  const first = new Map();
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bhot\(([^,;]*),/g)].flatMap(({ 1: head, index }) => {
      const here = `${path}:${text.slice(0, index).split('\n').length}`;
      return [...head.matchAll(/'([^']+)'/g)].flatMap(([, name]) => {
        const there = first.get(name);
        first.set(name, there ?? here);
        return there ? [`${here}: the prepared statement of ${there} is called '${name}', too`] : [];
      });
    }),
  );
}
