import type { z } from 'zod';
import type { PartyDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/**
 * Who may call an endpoint: a list of console roles (or `anyUser` signed in), a merchant by signature, a monitor
 * by its device signature, an outside service by its own (`webhook`: raw body in, its own kind of answer out), a payer
 * holding the order's pay token, or the public. `binding` also admits the
 * short session that exists only to bind an authenticator.
 */
export type Access = readonly Role[] | 'anyUser' | 'binding' | 'merchant' | 'monitor' | 'webhook' | 'public';

/** Whether an endpoint is for some of the console's roles. */
export const isRoleList = (access: Access): access is readonly Role[] => typeof access !== 'string';

export interface Endpoint<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /**
   * Which of a merchant's or supplier's users may call it: those with this duty. Every call that a list of roles opens to them and that
   * changes something or is sensitive names one.
   */
  readonly duty?: PartyDuty;
  /** Needs the second-level token while EnablePayPassword is on (1024 absent, 1025 wrong or expired). */
  readonly sensitive?: boolean;
  /**
   * Who has a passkey proves with it that this very call is meant (1026 without): it signs the path, the input and, of an `order` or a
   * `request` that waits for approval, what that is about. It stands for the second-level password then.
   */
  readonly stepUp?: 'input' | 'order' | 'request';
  /**
   * Whether it changes something, where its method does not say so: some GETs of the API family do, and a POST may only read. What
   * changes something is refused to technicalMaintenance.
   */
  readonly writes?: boolean;
  /**
   * Asked every few seconds by every console. While its socket is open on this node, the caller's session is taken from
   * memory, which learns of a session's end within a second.
   */
  readonly polled?: boolean;
  /** A call of the payer's page: rules about addresses hold for it. */
  readonly payer?: boolean;
  /** The family's client sends this POST's input in the query. */
  readonly inQuery?: boolean;
  /** A multipart body with one file beside the fields; what the file holds. */
  readonly file?: string;
  /** Bytes its body may have, where that is more than usual. */
  readonly largestBody?: number;
  /** Answers a file, text/csv; refusals are the envelope as ever. */
  readonly csv?: boolean;
  /** Query of a GET, body of a POST. Path parameters (`:token`) are part of it. */
  readonly input: Input;
  /** Shape of `data` in the envelope. */
  readonly output: Output;
}

export function endpoint<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return definition;
}

/** Whether a member of an area's module is an endpoint: the others are schemas and constants. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}

export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data?: Data;
}
