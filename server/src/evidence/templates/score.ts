import { normaliseReference } from '@sangam/contract/references.ts';
import { readFileSync } from 'node:fs';
import { compileTemplates, parseMessage, type ParseResult } from './engine.ts';
import { defaultTemplates } from './defaults/default-templates.ts';
import { formatMinor } from './fields.ts';

/** One item of a sample file (format: ../shared/data/README.md). `expected` is null for messages that must not be booked. */
export interface LabelledMessage {
  readonly id: string;
  readonly sender?: string | null;
  readonly text: string;
  readonly expected: {
    readonly direction: string;
    readonly amount: string;
    readonly account?: string;
    readonly accountAlt?: string | readonly string[];
    readonly balance?: string;
    readonly ref?: string;
    readonly refAlt?: string | readonly string[];
  } | null;
}

export interface ScoreLine {
  readonly id: string;
  readonly result: 'parsed' | 'ignored' | 'unparsed';
  readonly direction?: string;
  readonly amount?: string;
  readonly account?: string;
  readonly balance?: string;
  readonly ref?: string;
}

interface FieldScore {
  stated: number;
  right: number;
  missing: number;
  wrong: number;
  invented: number;
}

export interface Score {
  movements: number;
  right: number;
  wrong: number;
  unparsed: number;
  account: FieldScore;
  balance: FieldScore;
  ref: FieldScore;
  negatives: number;
  booked: number;
  /** For a person to look at: `id: what is wrong`. */
  readonly faults: string[];
}

function isLabelled(item: unknown): item is LabelledMessage {
  if (typeof item !== 'object' || item === null) return false;
  return (
    'id' in item &&
    typeof item.id === 'string' &&
    'text' in item &&
    typeof item.text === 'string' &&
    'expected' in item
  );
}

/** Reads a sample file; throws when it is not a list of labelled messages. */
export function readLabelled(file: string | URL): LabelledMessage[] {
  const items: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(items)) throw new Error(`${String(file)} is not a list of messages`);
  return items.map((item: unknown) => {
    if (!isLabelled(item)) throw new Error(`${String(file)} holds something that is not a labelled message`);
    return item;
  });
}

const compiled = compileTemplates(defaultTemplates);

/** Runs the default templates over one message and writes the outcome as the sample files do. */
export function scoreLine(message: LabelledMessage): ScoreLine {
  const { id, text } = message;
  // Only a message that came without a sender is tried without one. An unknown sender stays unknown.
  const sender = message.sender ?? undefined;
  const result: ParseResult = parseMessage(compiled, {
    text,
    receivedAt: new Date(),
    ...(sender !== undefined && { sender }),
  });
  if (result.outcome !== 'parsed')
    return { id, result: result.outcome === 'unparsed' ? 'unparsed' : 'ignored' };
  return {
    id,
    result: 'parsed',
    direction: result.direction,
    amount: formatMinor(result.amountMinor),
    ...(result.accountTail !== undefined && { account: result.accountTail }),
    ...(result.balanceMinor !== undefined && { balance: formatMinor(result.balanceMinor) }),
    ...(result.ref !== undefined && { ref: result.ref }),
  };
}

const fieldScore = (): FieldScore => ({ stated: 0, right: 0, missing: 0, wrong: 0, invented: 0 });

/**
 * Compares outcomes with the labels. Fields are counted for every expected movement, so an unparsed message misses all fields it states.
 */
export function scoreMessages(messages: readonly LabelledMessage[]): Score {
  const faults: string[] = [];
  const score: Score = {
    movements: 0,
    right: 0,
    wrong: 0,
    unparsed: 0,
    account: fieldScore(),
    balance: fieldScore(),
    ref: fieldScore(),
    negatives: 0,
    booked: 0,
    faults,
  };
  for (const message of messages) {
    const line = scoreLine(message);
    const { expected } = message;
    if (!expected) {
      score.negatives += 1;
      if (line.result !== 'parsed') continue;
      score.booked += 1;
      faults.push(`${line.id}: booked ${line.direction} ${line.amount}`);
      continue;
    }
    score.movements += 1;
    if (line.result !== 'parsed') {
      score.unparsed += 1;
      faults.push(`${line.id}: ${line.result}`);
    } else if (line.direction === expected.direction && line.amount === expected.amount) score.right += 1;
    else {
      score.wrong += 1;
      faults.push(
        `${line.id}: ${line.direction} ${line.amount}, expected ${expected.direction} ${expected.amount}`,
      );
    }
    for (const field of ['account', 'balance', 'ref'] as const) {
      const alternatives =
        field === 'account' ? expected.accountAlt : field === 'ref' ? expected.refAlt : undefined;
      const stated = [expected[field], alternatives].flat().filter((value) => value !== undefined);
      const accepted = field === 'ref' ? stated.map(normaliseReference) : stated;
      const fault = countField(score[field], line[field], accepted);
      if (fault && line.result === 'parsed') faults.push(`${line.id}: ${field} ${fault}`);
    }
  }
  return score;
}

function countField(
  count: FieldScore,
  found: string | undefined,
  accepted: readonly string[],
): string | undefined {
  if (accepted.length > 0) count.stated += 1;
  if (found === undefined) {
    if (accepted.length === 0) return undefined;
    count.missing += 1;
    return `missing, expected ${accepted.join(' or ')}`;
  }
  if (accepted.includes(found)) {
    count.right += 1;
    return undefined;
  }
  if (accepted.length > 0) count.wrong += 1;
  else count.invented += 1;
  return accepted.length > 0 ? `${found}, expected ${accepted.join(' or ')}` : `${found} invented`;
}

function report(score: Score): string {
  const fields = (['account', 'balance', 'ref'] as const).map((name) => {
    const { stated, right, missing, wrong, invented } = score[name];
    return `${name}: ${right}/${stated} right, ${missing} missing, ${wrong} wrong, ${invented} invented`;
  });
  return [
    `direction+amount: ${score.right}/${score.movements} right, ${score.wrong} wrong, ${score.unparsed} unparsed`,
    ...fields,
    `negatives: ${score.booked}/${score.negatives} booked`,
    ...score.faults,
    '',
  ].join('\n');
}

if (import.meta.main) {
  const [file, ...options] = process.argv.slice(2);
  if (file === undefined) {
    process.stderr.write('usage: node score.ts FILE [--json]\n');
    process.exit(2);
  }
  const messages = readLabelled(file);
  const output = options.includes('--json')
    ? messages.map((message) => `${JSON.stringify(scoreLine(message))}\n`).join('')
    : report(scoreMessages(messages));
  process.stdout.write(output);
}
