import type { z } from 'zod';
import type { PartyDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/**
 * Who may call an endpoint: a list of console roles, any signed-in user (`anyUser`), a merchant by signature, a monitor by its
 * device signature, an outside service by its own signature (`webhook`: raw body in, its own form of answer out), or everybody
 * (`public`), such as a payer with the order's pay token. `binding` also allows the short session that can only bind an
 * authenticator.
 */
export type Access = readonly Role[] | 'anyUser' | 'binding' | 'merchant' | 'monitor' | 'webhook' | 'public';

/** Whether an endpoint is for a list of console roles. */
export const isRoleList = (access: Access): access is readonly Role[] => typeof access !== 'string';

export interface Endpoint<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /**
   * The duty that a further user of a merchant or supplier needs for the call. Every call that is open to these roles and that
   * changes something or is sensitive names one.
   */
  readonly duty?: PartyDuty;
  /** Needs the second-level token while EnablePayPassword is on (1024 absent, 1025 wrong or expired). */
  readonly sensitive?: boolean;
  /**
   * A user with a passkey proves with it that exactly this call is meant (1026 without): the passkey signs the path, the input
   * and, for an `order` or a waiting `request`, its facts. It then replaces the second-level password.
   */
  readonly stepUp?: 'input' | 'order' | 'request';
  /**
   * Whether the call changes something, where its method does not show it: some GETs of this API family do, and a POST may only
   * read. Calls that change something are refused to technicalMaintenance.
   */
  readonly writes?: boolean;
  /**
   * Called every few seconds by every console. While the console's socket is open on this node, the session is taken from
   * memory, which learns of the end of a session within a second.
   */
  readonly polled?: boolean;
  /** A call of the payer's page: the rules about addresses apply to it. */
  readonly payer?: boolean;
  /** Existing clients of this API family send this POST's input in the query. */
  readonly inQuery?: boolean;
  /** The call has a multipart body with one file beside the fields; this says what the file holds. */
  readonly file?: string;
  /** The largest body in bytes, where it is larger than usual. */
  readonly largestBody?: number;
  /** Answers a file, text/csv. Refusals are the usual JSON envelope. */
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

/** Whether a member of an area's module is an endpoint: other members are schemas and constants. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}

export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data?: Data;
}
