/** Bank messages are at most a few SMS parts long; anything longer is cut before a pattern sees it. */
export const MAX_TEXT_LENGTH = 1_600;

/** Zero-width and direction marks that rich messages carry between letters. */
const invisible = /\u00ad|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|\ufe0e|\ufe0f|\ufeff/g;

/**
 * One line of plain text: compatibility letters (mathematical bold, full width) become ASCII, non-breaking spaces and
 * line breaks become one space. Templates are written against this form.
 */
export function normaliseText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH && isPlain(text)) return text;
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}

/** Most messages are plain: printable ASCII with single spaces, and none at either end. */
const isPlain = (text: string): boolean => /^[!-~][ -~]*[!-~]$/.test(text) && !text.includes('  ');

/** Promotion, service, transaction, government. */
const suffixes = ['P', 'S', 'T', 'G'] as const;

export type Sender =
  | { readonly type: 'header'; readonly header: string; readonly suffix?: (typeof suffixes)[number] }
  /** A phone number, or something no bank uses. */
  | { readonly type: 'other' };

/** `XY-HEADER` or `XY-HEADER-S`: TRAI TCCCPR, suffix mandatory since 6 May 2025. */
const traiHeader = /^[A-Z]{2}-([A-Z0-9]{3,9})(?:-([PSTG]))?$/;
/**
 * What some phones and gateways report: the header alone (`MPESA`, `HDFCBK`) or a verified sender's name (`SBI Card`). It has at least one
 * letter, so it is never a phone number.
 */
const bareHeader = /^(?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,12}$/;

/** Reads the sender of a text message. Case does not matter; the header comes back in upper case. */
export function parseSender(sender: string): Sender {
  const upper = sender.trim().toUpperCase();
  const trai = traiHeader.exec(upper);
  // Also `M-PESA`, whose dash follows a single letter.
  const header =
    trai?.[1] ?? bareHeader.exec(upper.replaceAll(' ', '').replace(/^([A-Z])-(?=[A-Z])/, '$1'))?.[0];
  // A 'header' of digits alone is a telephone number, whatever prefix it has.
  if (header === undefined || /^\d+$/.test(header)) return { type: 'other' };
  const suffix = suffixes.find((letter) => letter === trai?.[2]);
  return suffix === undefined ? { type: 'header', header } : { type: 'header', header, suffix };
}
