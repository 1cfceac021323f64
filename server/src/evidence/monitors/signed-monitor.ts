import { signMonitorCall, signatureMatches } from '@sangam/contract/signature.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { SignedMonitor } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import { advanceSequence, findMonitor } from './sequence.ts';

const TIMESTAMP_TOLERANCE = 5 * MINUTE;
const LARGEST_SEQUENCE = 2n ** 63n - 1n;

export interface MonitorCall {
  readonly monitorId: string | undefined;
  readonly timestamp: string | undefined;
  readonly sequence: string | undefined;
  readonly signature: string | undefined;
  /** The raw bytes as received. */
  readonly body: Buffer;
}

/**
 * The monitor that signed this call. Its sequence number is used up. 1102 for a wrong header, time or signature; 409 if the number is not
 * new.
 */
export async function signedMonitor(platform: Platform, call: MonitorCall): Promise<SignedMonitor | Refusal> {
  const { vault, clock, ids } = platform;
  const db = platform.db.evidence;
  const numbers = [call.monitorId, call.timestamp, call.sequence];
  if (!numbers.every((text) => /^\d{1,19}$/.test(text ?? '')))
    return refused('a header is missing or not a number');
  const [monitorId, timestamp, sequence] = numbers.map((text) => BigInt(text!)) as [bigint, bigint, bigint];
  if (monitorId > LARGEST_SEQUENCE || sequence > LARGEST_SEQUENCE) return refused('a number is too large');
  const monitor = await findMonitor(db, monitorId);
  const expected = signMonitorCall(
    monitor ? vault.open(monitor.secret, ['monitors.secret', monitor.id]) : '',
    call.timestamp!,
    call.sequence!,
    call.body,
  );
  const matches = signatureMatches(call.signature ?? '', expected, 'hmac-sha256');
  if (!monitor || !matches) return refused('signature');
  const now = clock.now();
  const clockBehindMs = now.getTime() - Number(timestamp);
  if (Math.abs(clockBehindMs) > TIMESTAMP_TOLERANCE) {
    return refused(`timestamp is more than 5 minutes off; the server has ${now.getTime()}`);
  }
  const { advanced, last } = await advanceSequence(db, ids, { monitorId: monitor.id, sequence, now });
  if (!advanced) return refuse('conflict', {}, { reason: 'sequenceRepeated', lastSequence: String(last) });
  return { id: monitor.id, supplierId: monitor.supplierId, clockBehindMs };
}

function refused(reason: string): Refusal {
  return refuse('wrongSignature', {}, { reason });
}
