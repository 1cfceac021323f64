import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from '@sangam/contract/roles.ts';

/** What the audit keeps of the call that an entry was written in. */
export interface AuditedCall {
  readonly role?: Role;
  /** The browser or program, as it names itself. */
  readonly device?: string;
  readonly sessionId?: bigint;
  /** Who sees the console as the viewer: what is read there is read by this user. */
  readonly seenBy?: { readonly userId: bigint; readonly role: Role };
  /** The request whose approval is carried out. */
  readonly approvalId?: bigint;
}

const calls = new AsyncLocalStorage<AuditedCall>();

/** Runs `work` as part of a call; what is not given is taken from the call around it. */
export function duringCall<Result>(call: AuditedCall, work: () => Result): Result {
  return calls.run({ ...calls.getStore(), ...call }, work);
}

/** The call that runs; empty in what a node does by itself. */
export function currentCall(): AuditedCall {
  return calls.getStore() ?? {};
}
