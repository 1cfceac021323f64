import { posix } from 'node:path';

/**
 * Rooms are the folders directly under a workspace's `src`. A room may import from the rooms below it, not from those above.
 * `floors` lists the rooms, bottom first. An entry that is a list is a floor of neighbours, which may not import each other. '.'
 * stands for the files outside any folder. `files`: paths from `<workspace>/src` with their import specifiers. Returns one line per
 * problem.
 */
export function checkRooms(workspace, floors, files) {
  const floorOf = new Map(floors.flatMap((floor, level) => [floor].flat().map((room) => [room, level])));
  const found = new Set(files.map(({ path }) => roomOf(path)));
  const listed = [...floorOf.keys()];
  return [
    ...[...found]
      .filter((room) => !floorOf.has(room))
      .map((room) => `${workspace}/src/${room}: is not in ${workspace}/rooms.json`),
    ...listed
      .filter((room) => !found.has(room))
      .map((room) => `${workspace}/rooms.json: there is no folder ${workspace}/src/${room}`),
    ...files.flatMap(({ path, imports }) => {
      const room = roomOf(path);
      const targets = imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => !target.startsWith('../'));
      return [...new Set(targets.map(roomOf))]
        .filter((other) => other !== room && floorOf.get(other) >= floorOf.get(room))
        .map((other) => {
          const where = floorOf.get(other) === floorOf.get(room) ? 'beside' : 'above';
          return `${workspace}/src/${path}: room ${room} may not import room ${other}, which is ${where} it`;
        });
    }),
  ];
}

/**
 * What a source text imports: static, dynamic, re-exported, and types in `import('…')`. Texts that only look like an import do not
 * count.
 */
export function importsOf(text) {
  const quoted = `(?:'([^'\\n]+)'|"([^"\\n]+)")`;
  const statement = new RegExp(
    `^[ \\t]*(?:import|export)\\b[^'"\`;]*?\\bfrom\\s*${quoted}|^[ \\t]*import\\s*${quoted}|\\bimport\\(\\s*${quoted}`,
    'gm',
  );
  return [...text.matchAll(statement)].map((found) => found.slice(1).find((each) => each !== undefined));
}

function roomOf(path) {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
}
