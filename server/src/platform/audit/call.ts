import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from '@sangam/contract/roles.ts';

/** What the audit keeps of the call that an entry was written in. */
export interface AuditedCall {
  readonly role?: Role;
  /** The browser or program, as it names itself. */
  readonly device?: string;
  readonly sessionId?: bigint;
  /** The user who sees the console as the viewer ('see as'). This user is the one who reads. */
  readonly seenBy?: { readonly userId: bigint; readonly role: Role };
  /** The request whose approval is carried out. */
  readonly approvalId?: bigint;
}

const calls = new AsyncLocalStorage<AuditedCall>();

/** Runs `work` as part of a call. A field that is not given is taken from the surrounding call. */
export function duringCall<Result>(call: AuditedCall, work: () => Result): Result {
  return calls.run({ ...calls.getStore(), ...call }, work);
}

/** The call that runs now. Empty for work that a node does by itself. */
export function currentCall(): AuditedCall {
  return calls.getStore() ?? {};
}
