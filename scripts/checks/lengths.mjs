import { ourFiles, textOf } from './files.mjs';

const MOST_LINES = 400;

/** A file that is too long for one reading has two subjects. Generated lists and texts may be long. */
export function checkLengths() {
  return ourFiles()
    .filter((path) => /\.(ts|tsx|mjs|sql|css)$/.test(path) && !path.includes('/generated/'))
    .map((path) => ({ path, lines: textOf(path).replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${MOST_LINES}`);
}
