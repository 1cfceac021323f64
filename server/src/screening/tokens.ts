import anyAscii from 'any-ascii';

/** Words that stand beside a name and are not part of it. */
const BESIDE = new Set(
  `mr mrs ms miss master dr prof er adv ca capt col maj gen lt sgt hon rev sir shri shree sri smt shrimati sushri
   ji jee saheb sahib haji hajji alias aka fka nee late the and of
   pvt private ltd limited llp llc inc co company corp corporation`.split(/\s+/),
);

/** `S/O` means 'son of'. What follows it is another person's name, unless nothing stands before it. */
const RELATION = /\b[sdwc]\s*\/\s*o\b/;
/** `M/s` stands before the name of a firm. */
const FIRM = /^\s*m\s*\/\s*s\b/;
const PLAIN = /^[\x20-\x7e]*$/;

/** The words of a name in Latin letters, from any script: lower case, without titles, marks and punctuation. */
export function tokensOf(name: string): string[] {
  // Most names are plain Latin. Only the others need the table of all scripts.
  const latin = PLAIN.test(name) ? name : anyAscii(name.normalize('NFKC'));
  const text = latin.toLowerCase();
  const parts = text.includes('/') ? text.replace(FIRM, '').split(RELATION) : [text];
  const words = parts.map((part) => part.replace(/['’`]/g, '').match(/[a-z]+/g) ?? []);
  const own = words.map((ofPart) => ofPart.filter((word) => !BESIDE.has(word)));
  return own.find(({ length }) => length > 0) ?? words.flat();
}

/** One key for all spellings that `tokensOf` makes equal, in any order of words. */
export function nameKey(name: string): string {
  return tokensOf(name).sort().join(' ').slice(0, 256);
}
