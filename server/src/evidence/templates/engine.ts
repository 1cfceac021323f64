import { parseBankTime, type TimePrecision } from './bank-time.ts';
import { fillIn, take } from './details.ts';
import { isDoubtful } from './doubt.ts';
import { parseBalance, parseMinor, refFamily, type RefFamily } from './fields.ts';
import { normaliseText, parseSender } from './normalise.ts';
import { lineOf, matches, search, sharedPattern, type Line, type Pattern } from './search.ts';
import type { Direction, FieldName, IgnoreReason, MessageTemplate, SenderSuffix } from './template.ts';

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

/** Throws RE2's syntax error when a pattern of the template does not compile. */
export function compileTemplate(template: MessageTemplate): CompiledTemplate {
  const pattern = sharedPattern(template.pattern);
  const details = (template.details ?? []).map(sharedPattern);
  return template.unless === undefined
    ? { template, pattern, details }
    : { template, pattern, details, unless: sharedPattern(template.unless) };
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

/** Where a movement template matches, and what its pattern alone says. */
interface MovementFound {
  readonly compiled: CompiledTemplate;
  readonly direction: Direction;
  readonly start: number;
  readonly amountMinor: bigint;
  /** Where the account stands. */
  readonly accountAt: number | undefined;
  readonly fields: Map<FieldName, string>;
}

/** Where the template's pattern matches, without regard to its `unless`. */
function findMovement(compiled: CompiledTemplate, line: Line, until?: number): MovementFound | undefined {
  const { template, pattern } = compiled;
  if (template.rule !== 'credit' && template.rule !== 'debit') return undefined;
  const found = search(pattern, line, until).next().value;
  if (!found) return undefined;
  const fields = new Map<FieldName, string>();
  take(fields, found.fields, template.currency);
  const amountMinor = parseMinor(fields.get('amount') ?? '');
  if (amountMinor === undefined) return undefined;
  const accountAt = found.fields.get('account')?.start;
  return { compiled, direction: template.rule, start: found.start, amountMinor, accountAt, fields };
}

const isExcepted = ({ unless }: CompiledTemplate, line: Line): boolean =>
  unless !== undefined && matches(unless, line);

function readMovement(
  { compiled: { template, details }, direction, amountMinor, fields }: MovementFound,
  line: Line,
  receivedAt: Date,
): Movement {
  fillIn(fields, details, line, template);
  return toMovement(template, direction, amountMinor, fields, line.text, receivedAt);
}

/** A match of one movement template in normalised text, without regard to sender or other templates. */
export function matchMovement(
  compiled: CompiledTemplate,
  text: string,
  receivedAt: Date,
): { start: number; movement: Movement } | undefined {
  const line = lineOf(text);
  const found = isExcepted(compiled, line) ? undefined : findMovement(compiled, line);
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

function isGuarded(compiled: CompiledTemplate, line: Line): boolean {
  const { rule } = compiled.template;
  return (
    (rule === 'ignore' || rule === 'otp') && matches(compiled.pattern, line) && !isExcepted(compiled, line)
  );
}

/**
 * Highest priority first; among equals a guard wins, then the movement that starts earliest in the text. A template of lower priority wins
 * only if it reads another movement that starts before: then the one of higher priority has read a stranger's words.
 */
function firstOutcome(
  candidates: readonly CompiledTemplate[],
  line: Line,
  receivedAt: Date,
): ParseResult | undefined {
  let best: MovementFound | undefined;
  let priority = Number.NaN;
  const excepted: MovementFound[] = [];
  for (const candidate of candidates) {
    const { template } = candidate;
    const isLower = best !== undefined && template.priority !== priority;
    if (!isLower) {
      priority = template.priority;
      if (isGuarded(candidate, line)) {
        return template.rule === 'otp'
          ? { outcome: 'otp' }
          : { outcome: 'ignored', templateId: template.id, reason: template.reason ?? 'other' };
      }
    }
    const found = findMovement(candidate, line, isLower ? untilOf(candidate, best!) : best?.start);
    if (!found) continue;
    if (isExcepted(candidate, line)) excepted.push(found);
    else if (!isLower || isBefore(found, best!)) best = found;
  }
  if (!best) return undefined;
  const movement = readMovement(best, line, receivedAt);
  const { start, compiled } = best;
  // What a template of higher priority would read from there was excepted because a stranger may have written it.
  const from = ({ compiled: { template } }: MovementFound): number =>
    template.priority > compiled.template.priority ? start : start - 1;
  const isOther = (found: MovementFound): boolean => found.start <= from(found) && !isSame(found, movement);
  return excepted.some(isOther) || isDoubtful(best, line)
    ? { outcome: 'unparsed', proposal: movement }
    : { outcome: 'parsed', ...movement };
}

/** Where a match has to begin to be before the best. Only the same movement with an account may begin where it begins. */
const untilOf = ({ template, pattern }: CompiledTemplate, best: MovementFound): number =>
  best.start + (template.rule === best.direction && pattern.groups.includes('account') ? 1 : 0);

/** The same movement is another before the best if it starts there with an account that stands first. */
function isBefore(found: MovementFound, best: MovementFound): boolean {
  if (!isSame(found, best)) return found.start < best.start;
  return (
    found.start === best.start &&
    found.compiled.template.kind === best.compiled.template.kind &&
    found.accountAt !== undefined &&
    best.accountAt !== undefined &&
    found.accountAt < best.accountAt
  );
}

type DirectionAndAmount = Pick<Movement, 'direction' | 'amountMinor'>;
const isSame = (one: DirectionAndAmount, other: DirectionAndAmount): boolean =>
  one.direction === other.direction && one.amountMinor === other.amountMinor;

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
