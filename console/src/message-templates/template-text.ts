import type { endpoints } from 'virtual:endpoints';
import type { InputOf } from '../http/call-types.ts';

export type Template = InputOf<typeof endpoints.messageTemplate.saveMessageTemplate>['template'];
type Sample = Template['samples'][number];

const FIELDS = ['amount', 'account', 'balance', 'ref'] as const;

/** One sample per line: `amount | account | balance | reference | text`, or the text alone where nothing should be parsed. */
export function samplesText(samples: readonly Sample[]): string {
  return samples
    .map(({ text, expected }) =>
      [
        ...(expected ? FIELDS.map((field) => expected[field] ?? '') : []),
        text.replaceAll('\n', String.raw`\n`),
      ].join(' | '),
    )
    .join('\n');
}

export function samplesOf(lines: string): Sample[] {
  return linesOf(lines).map((line) => {
    const parts = line.split(' | ').map((part) => part.trim());
    if (parts.length < 5) return { text: unescape(line), expected: null };
    const stated = FIELDS.flatMap((field, index) => (parts[index] ? [[field, parts[index]] as const] : []));
    const text = unescape(parts.slice(4).join(' | '));
    return { text, expected: Object.fromEntries(stated) as NonNullable<Sample['expected']> };
  });
}

const unescape = (text: string): string => text.replaceAll(String.raw`\n`, '\n');

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Parses pasted messages. An empty line separates two messages. A first line of the form `VM-HDFCBK-S:` names the sender. */
export function pastedMessages(pasted: string): { sender?: string; text: string }[] {
  return pasted
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const sender = /^([A-Za-z0-9 +-]{3,20}):\s*\n?/.exec(text);
      const rest = sender ? text.slice(sender[0].length) : '';
      return sender?.[1] && rest !== '' ? { sender: sender[1], text: rest } : { text };
    });
}
