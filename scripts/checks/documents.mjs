import { posix } from 'node:path';

/** The anchor of a heading: lower case, spaces as dashes, no punctuation. */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Anchors of a page's headings. */
function anchorsOf(markdown) {
  return [...markdown.matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, heading]) => slugOf(heading));
}

/**
 * Lists references to documents or headings that do not exist. Code refers to `docs/NAME.md` or `docs/NAME.md#heading`; a page
 * links relative to its own place. A bare name (`domain.md`) or 'seed section' is refused, because a reader cannot open it.
 * `pages`: path → text of all our pages.
 */
export function missingDocuments(path, text, pages) {
  const isPage = path.endsWith('.md');
  return text.split('\n').flatMap((line, index) => {
    const where = `${path}:${index + 1}`;
    const named = isPage
      ? [...line.matchAll(/\]\((?!https?:|mailto:)([^)\s]*\.md)?(#[\w-]+)?\)/g)]
          .filter(([, page, anchor]) => page ?? anchor)
          .map(([, page, anchor]) => [page ? posix.join(posix.dirname(path), page) : path, anchor])
      : [...line.matchAll(/(?<![\w/.-])((?:[\w-][\w.-]*\/)*[\w-]+\.md)(?!\w)(#[\w-]+)?/g)].map(
          ([, page, anchor]) => [page, anchor],
        );
    const problems = named.flatMap(([page, anchor]) => {
      const found = pages.get(page);
      if (found === undefined) return [`${where}: there is no document ${page}`];
      if (anchor !== undefined && !anchorsOf(found).includes(anchor.slice(1)))
        return [`${where}: ${page} has no heading ${anchor}`];
      return [];
    });
    return /\bseed section\b/i.test(line)
      ? [...problems, `${where}: refers to a document that is not here`]
      : problems;
  });
}
