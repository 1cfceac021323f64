import { createHash } from 'node:crypto';
import { DAY, SECOND } from '../../platform/clock.ts';
import type { MonitorAccount, ReportedMessage } from './message.ts';
import { bankHeaders } from '../templates/defaults/headers.ts';
import { parseSender } from '../templates/normalise.ts';
import type { Movement, ParseResult } from '../templates/engine.ts';

/**
 * The monitor's accounts that a movement may belong to: same bank (by sender header, including headers that the operator added), same
 * currency, and the same tail if the message shows one. If several fit, the device's hint may choose one; otherwise the message is
 * ambiguous. A card movement belongs to no receiving account.
 */
export function accountOf(
  movement: Movement,
  told: Pick<ReportedMessage, 'sender' | 'accountHint'>,
  accounts: readonly MonitorAccount[],
  addedBanks: ReadonlyMap<string, string>,
): MonitorAccount[] {
  if (movement.kind === 'card') return [];
  const bank = bankOf(told.sender, addedBanks);
  const tail = movement.accountTail;
  const found = accounts.filter(
    (account) =>
      bank !== undefined &&
      bankOf(account.senderHeader, addedBanks) === bank &&
      account.currency === movement.currency &&
      (tail === undefined || account.accountNumber.endsWith(tail)),
  );
  if (found.length > 1 && told.accountHint) {
    const hinted = found.filter((account) => account.accountNumber.endsWith(told.accountHint!));
    if (hinted.length === 1) return hinted;
  }
  return found;
}

/** A bank sends from several headers: SBIUPI for UPI, CBSSBI for the rest. */
const BANK_OF_HEADER: ReadonlyMap<string, string> = new Map(
  Object.entries(bankHeaders).flatMap(([bank, headers]) => headers.map((header) => [header, bank])),
);

function bankOf(sender: string, added: ReadonlyMap<string, string>): string | undefined {
  const parsed = parseSender(sender);
  if (parsed.type !== 'header') return undefined;
  return BANK_OF_HEADER.get(parsed.header) ?? added.get(parsed.header) ?? parsed.header;
}

/** Identifies a message of one device by sender, text and time, whatever id the device gives it. */
export function textFingerprint({
  sender,
  text,
  receivedAt,
}: Pick<ReportedMessage, 'sender' | 'text' | 'receivedAt'>): string {
  return createHash('sha256').update([sender, text, receivedAt.getTime()].join('\0')).digest('base64url');
}

/** The fingerprint of a movement that states a reference. Amount in minor units. */
export const referenceFingerprint = (direction: string, amount: bigint, reference: string): string =>
  `${direction}/${amount}/ref/${reference}`;

/** The fingerprint of new money under a known fingerprint. `parting`: the id of the movement that parts it from the known one. */
export const fingerprintAfter = (fingerprint: string, parting: bigint): string =>
  `${fingerprint}/after/${parting}`;

/**
 * Identifies a movement (docs/domain.md#from-message-to-movement) by direction, amount and reference. Without a reference: by direction,
 * amount, balance and a bank time that names at least the minute. Equal amounts alone are no repeat.
 */
export function fingerprintOf(parsed: ParseResult): string | undefined {
  if (parsed.outcome !== 'parsed') return undefined;
  const movement = `${parsed.direction}/${parsed.amountMinor}`;
  if (parsed.ref) return referenceFingerprint(parsed.direction, parsed.amountMinor, parsed.ref);
  if (parsed.balanceMinor !== undefined && parsed.bankTime && isPrecise(parsed)) {
    return `${movement}/balance/${parsed.balanceMinor}/${Math.floor(parsed.bankTime.getTime() / SECOND)}`;
  }
  return undefined;
}

/**
 * When the money moved: the bank's time, or the end of the day that the bank names; never later than the device got the message.
 * `movedAtOf` in reported-amounts.ts is the same rule for stored messages.
 */
export function movedAt(movement: Pick<Movement, 'bankTime' | 'timePrecision'>, receivedAt: Date): Date {
  const { bankTime } = movement;
  if (!bankTime) return receivedAt;
  return new Date(Math.min(receivedAt.getTime(), bankTime.getTime() + (isPrecise(movement) ? 0 : DAY)));
}

/** Whether the bank names at least the minute. */
export function isPrecise({ timePrecision }: Pick<Movement, 'timePrecision'>): boolean {
  return timePrecision === 'second' || timePrecision === 'minute';
}
