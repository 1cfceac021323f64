import type { Currency } from '@sangam/contract/money.ts';
import { RE2JS } from 're2js';
import { parseBankTime, type TimePrecision } from './bank-time.ts';
import {
  accountTail,
  cleanName,
  cleanRef,
  cleanVpa,
  isBalanceLabelled,
  isWholeNumber,
  parseBalance,
  parseMinor,
  refFamily,
  type RefFamily,
} from './fields.ts';
import { LinearProgram } from './linear.ts';
import { conditionOf, needOf, WordIndex, type Condition } from './literals.ts';
import { normaliseText, parseSender } from './normalise.ts';
import {
  fieldNames,
  type Direction,
  type FieldName,
  type IgnoreReason,
  type MessageTemplate,
  type SenderSuffix,
} from './template.ts';

export interface Movement {
  readonly templateId: string;
  readonly direction: Direction;
  /** Paise or cents, always positive. */
  readonly amountMinor: bigint;
  readonly currency: 'INR' | 'KES';
  readonly kind: MessageTemplate['kind'];
  /** Last four digits shown of the own account, fewer when the bank shows fewer. Two accounts may share a tail. */
  readonly accountTail?: string;
  /** Available balance after the movement, in paise or cents. Negative if the account is overdrawn. */
  readonly balanceMinor?: bigint;
  /** Without label, upper case, no spaces or dashes. */
  readonly ref?: string;
  readonly refFamily?: RefFamily;
  readonly payer?: string;
  readonly vpa?: string;
  readonly remark?: string;
  readonly bankTime?: Date;
  /** `none` if the message prints no date. Then the time of receipt counts. */
  readonly timePrecision: TimePrecision;
}

export type ParseResult =
  | ({ readonly outcome: 'parsed' } & Movement)
  | { readonly outcome: 'ignored'; readonly templateId: string; readonly reason: IgnoreReason }
  /** A one-time password: discard the message unstored. */
  | { readonly outcome: 'otp' }
  /** Kept and shown. A proposal is a guess for the operator; it must never complete an order. */
  | { readonly outcome: 'unparsed'; readonly proposal?: Movement };

export interface IncomingMessage {
  /**
   * As the phone reports it. Without a sender every template is tried. That is for the try-it box and test data, never for a monitor's
   * report.
   */
  readonly sender?: string;
  readonly text: string;
  readonly receivedAt: Date;
}

/** A pattern prepared for searching: its program, its named groups, and the words that a text must contain to be worth a search. */
export interface Pattern {
  /** Size with counted repeats written out. */
  readonly size: number;
  readonly groups: readonly string[];
  readonly fields: readonly (readonly [name: FieldName, group: number])[];
  readonly program: LinearProgram;
  readonly need: Condition | undefined;
}

export interface CompiledTemplate {
  readonly template: MessageTemplate;
  readonly pattern: Pattern;
  readonly unless?: Pattern;
  readonly details: readonly Pattern[];
}

export interface CompiledTemplates {
  /** All enabled templates, highest priority first. */
  readonly all: readonly CompiledTemplate[];
  /** The same for each header that some template names. Templates for any sender are included. */
  readonly byHeader: ReadonlyMap<string, readonly CompiledTemplate[]>;
}

/** Reported as the template of messages that are refused because of their sender alone. */
export const PROMOTIONAL_SENDER = 'sender-suffix-p';

const defaultSuffixes: readonly SenderSuffix[] = ['S', 'T', 'G'];

function compilePattern(source: string): Pattern {
  const re2 = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  const program = new LinearProgram(re2);
  const fields = fieldNames.flatMap((name) => {
    const group = program.groups[name];
    return group === undefined ? [] : [[name, group] as const];
  });
  return {
    size: re2.programSize(),
    groups: Object.keys(program.groups),
    fields,
    program,
    need: conditionOf(needOf(source)),
  };
}

/** Throws RE2's syntax error when a pattern of the template does not compile. */
export function compileTemplate(template: MessageTemplate): CompiledTemplate {
  const pattern = sharedPattern(template.pattern);
  const details = (template.details ?? []).map(sharedPattern);
  return template.unless === undefined
    ? { template, pattern, details }
    : { template, pattern, details, unless: sharedPattern(template.unless) };
}

/**
 * The default set repeats its detail patterns, and a change of one template leaves the others unchanged, so each source is compiled once.
 * Bounded, because templates can be edited.
 */
const compiledSources = new Map<string, Pattern>();
function sharedPattern(source: string): Pattern {
  const known = compiledSources.get(source);
  if (known) return known;
  const compiled = compilePattern(source);
  if (compiledSources.size >= 1_000) compiledSources.clear();
  compiledSources.set(source, compiled);
  return compiled;
}

/**
 * Prepares enabled templates for parseMessage. Compile once per change of the set, not per message. Throws an Error that names the template
 * if one does not compile; validateTemplate keeps such templates out of the table.
 */
export function compileTemplates(templates: readonly MessageTemplate[]): CompiledTemplates {
  const all = templates
    .filter((template) => template.enabled)
    .toSorted((a, b) => b.priority - a.priority)
    .map((template) => {
      try {
        return compileTemplate(template);
      } catch (cause) {
        throw new Error(`message template ${template.id} does not compile`, { cause });
      }
    });
  const byHeader = new Map<string, CompiledTemplate[]>();
  for (const { template } of all)
    for (const header of template.senderHeaders) if (header !== '*') byHeader.set(header, []);
  for (const compiled of all) {
    const { senderHeaders } = compiled.template;
    const lists = senderHeaders.includes('*')
      ? byHeader.values()
      : new Set(senderHeaders.map((header) => byHeader.get(header)!));
    for (const list of lists) list.push(compiled);
  }
  return { all, byHeader };
}

/** A message's normalised text, and the words that it contains. */
interface Line {
  readonly text: string;
  readonly words: WordIndex;
}

const lineOf = (text: string): Line => ({ text, words: new WordIndex(text) });

function test({ need, program }: Pattern, { text, words }: Line): boolean {
  return words.meets(need) && program.search(text);
}

interface Found {
  readonly start: number;
  readonly fields: ReadonlyMap<FieldName, string>;
}

/** Matches that begin before `until`, from left to right, except those that cut a number in two. */
function* search(
  { need, program, fields: named }: Pattern,
  { text, words }: Line,
  until?: number,
): Generator<Found, undefined> {
  if (!words.meets(need)) return;
  // Bounded, because each search starts after the last match, and a text has few amounts.
  for (let attempt = 0, from = 0; attempt < 8 && program.search(text, from, until); attempt += 1) {
    const { captures } = program;
    const start = captures[0]!;
    const end = captures[1]!;
    from = end === start ? end + 1 : end;
    const fields = new Map<FieldName, string>();
    let whole = true;
    for (const [name, group] of named) {
      const first = captures[2 * group]!;
      const last = captures[2 * group + 1]!;
      if (first < 0 || first === last) continue;
      if (name === 'amount' || name === 'balance') whole &&= isWholeNumber(text, first, last);
      if (name === 'amount') whole &&= !isBalanceLabelled(text, first);
      fields.set(name, text.slice(first, last));
    }
    if (whole) yield { start, fields };
  }
  return undefined;
}

/** The cleaned value of a field. Undefined if the words found are no such value; then the next match or detail may fill the field. */
const cleaners: Readonly<Record<FieldName, (printed: string, currency: Currency) => string | undefined>> = {
  amount: (printed) => ((parseMinor(printed) ?? 0n) > 0n ? printed : undefined),
  account: accountTail,
  balance: (printed) => (parseBalance(printed) === undefined ? undefined : printed),
  ref: cleanRef,
  payer: cleanName,
  vpa: cleanVpa,
  // Only checks that it is a date: country and time of receipt do not matter for that.
  time: (printed) => (parseBankTime(printed, 'IN', new Date(0)) ? printed : undefined),
  remark: (printed) => printed.trim() || undefined,
};

/** Where a movement template matches, and what its pattern alone says. */
interface MovementFound {
  readonly compiled: CompiledTemplate;
  readonly direction: Direction;
  readonly start: number;
  readonly amountMinor: bigint;
  readonly fields: Map<FieldName, string>;
}

function take(
  fields: Map<FieldName, string>,
  source: ReadonlyMap<FieldName, string>,
  { currency }: Pick<MessageTemplate, 'currency'>,
): void {
  for (const [name, printed] of source) {
    const value = fields.has(name) ? undefined : cleaners[name](printed, currency);
    if (value !== undefined) fields.set(name, value);
  }
}

function findMovement(compiled: CompiledTemplate, line: Line, until?: number): MovementFound | undefined {
  const { template, pattern, unless } = compiled;
  if (template.rule !== 'credit' && template.rule !== 'debit') return undefined;
  const found = search(pattern, line, until).next().value;
  if (!found || (unless && test(unless, line))) return undefined;
  const fields = new Map<FieldName, string>();
  take(fields, found.fields, template);
  const amountMinor = parseMinor(fields.get('amount') ?? '');
  if (amountMinor === undefined) return undefined;
  return { compiled, direction: template.rule, start: found.start, amountMinor, fields };
}

/** Fills in what the details say. That costs as much as all the rest, so it is done only for the match that counts. */
function readMovement(
  { compiled, direction, amountMinor, fields }: MovementFound,
  line: Line,
  receivedAt: Date,
): Movement {
  for (const detail of compiled.details) {
    const isFilled = (): boolean => detail.fields.every(([name]) => fields.has(name));
    if (isFilled()) continue;
    for (const more of search(detail, line)) {
      take(fields, more.fields, compiled.template);
      if (isFilled()) break;
    }
  }
  return toMovement(compiled.template, direction, amountMinor, fields, line.text, receivedAt);
}

/** A match of one movement template in normalised text, without regard to sender or other templates. */
export function matchMovement(
  compiled: CompiledTemplate,
  text: string,
  receivedAt: Date,
): { start: number; movement: Movement } | undefined {
  const line = lineOf(text);
  const found = findMovement(compiled, line);
  return found && { start: found.start, movement: readMovement(found, line, receivedAt) };
}

function toMovement(
  template: MessageTemplate,
  direction: Direction,
  amountMinor: bigint,
  fields: ReadonlyMap<FieldName, string>,
  text: string,
  receivedAt: Date,
): Movement {
  const tail = fields.get('account');
  const balanceMinor = parseBalance(fields.get('balance') ?? '');
  const ref = fields.get('ref');
  const payer = fields.get('payer');
  const vpa = fields.get('vpa');
  const remark = fields.get('remark');
  const time = parseBankTime(fields.get('time') ?? '', template.country, receivedAt);
  return {
    templateId: template.id,
    direction,
    amountMinor,
    currency: template.currency,
    kind: template.kind,
    ...(tail !== undefined && { accountTail: tail }),
    ...(balanceMinor !== undefined && { balanceMinor }),
    ...(ref !== undefined && { ref, refFamily: refFamily(ref, text, template.country) }),
    ...(payer !== undefined && { payer }),
    ...(vpa !== undefined && { vpa }),
    ...(remark !== undefined && { remark }),
    ...(time !== undefined && { bankTime: time.at }),
    timePrecision: time?.precision ?? 'none',
  };
}

/** Whether an `ignore` or `otp` template applies. */
export function matchGuard(compiled: CompiledTemplate, text: string): boolean {
  return isGuarded(compiled, lineOf(text));
}

function isGuarded({ template, pattern, unless }: CompiledTemplate, line: Line): boolean {
  const { rule } = template;
  return (rule === 'ignore' || rule === 'otp') && test(pattern, line) && !(unless && test(unless, line));
}

/** Highest priority first; among equals a guard wins, then the movement that starts earliest in the text. */
function firstOutcome(
  candidates: readonly CompiledTemplate[],
  line: Line,
  receivedAt: Date,
): ParseResult | undefined {
  let best: MovementFound | undefined;
  let priority = Number.NaN;
  for (const candidate of candidates) {
    const { template } = candidate;
    if (best && template.priority !== priority) break;
    priority = template.priority;
    if (isGuarded(candidate, line)) {
      return template.rule === 'otp'
        ? { outcome: 'otp' }
        : { outcome: 'ignored', templateId: template.id, reason: template.reason ?? 'other' };
    }
    best = findMovement(candidate, line, best?.start) ?? best;
  }
  return best && { outcome: 'parsed', ...readMovement(best, line, receivedAt) };
}

/**
 * For senders that no template names. Guards hold for anybody. A movement that some bank's template would read is only a guess to show. So
 * a bank's new header is noticed, and a late guard does not file its message as a balance notice.
 */
function judgeUnknown(compiled: CompiledTemplates, line: Line, receivedAt: Date): ParseResult {
  const guess = firstOutcome(compiled.all, line, receivedAt);
  if (!guess) return { outcome: 'unparsed' };
  if (guess.outcome !== 'parsed') return guess;
  const { outcome: _, ...proposal } = guess;
  return { outcome: 'unparsed', proposal };
}

/**
 * Turns one message into a movement, a reason to ignore it, a one-time password to discard, or nothing. Only templates that name the
 * sender's exact header can make a movement. A phone number or a promotional sender never makes one.
 */
export function parseMessage(compiled: CompiledTemplates, message: IncomingMessage): ParseResult {
  const line = lineOf(normaliseText(message.text));
  const { receivedAt } = message;
  if (message.sender === undefined)
    return firstOutcome(compiled.all, line, receivedAt) ?? { outcome: 'unparsed' };
  const sender = parseSender(message.sender);
  if (sender.type === 'other') {
    const result = judgeUnknown(compiled, line, receivedAt);
    return result.outcome === 'unparsed' ? { outcome: 'unparsed' } : result;
  }
  const { suffix } = sender;
  if (suffix === 'P') {
    const isOtp = judgeUnknown(compiled, line, receivedAt).outcome === 'otp';
    return isOtp
      ? { outcome: 'otp' }
      : { outcome: 'ignored', templateId: PROMOTIONAL_SENDER, reason: 'promo' };
  }
  const known = compiled.byHeader.get(sender.header);
  if (!known) return judgeUnknown(compiled, line, receivedAt);
  const allowed =
    suffix === undefined
      ? known
      : known.filter(({ template }) => (template.suffixes ?? defaultSuffixes).includes(suffix));
  return firstOutcome(allowed, line, receivedAt) ?? judgeUnknown(compiled, line, receivedAt);
}
