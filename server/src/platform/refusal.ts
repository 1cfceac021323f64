import type { CodeName } from '@sangam/contract/codes.ts';

/**
 * An expected 'no', as a value: which code of the catalogue, what its text needs, and what else the answer
 * shows. Bugs are exceptions; a refusal returned from `Database.tx` rolls the transaction back.
 */
export class Refusal {
  readonly code: CodeName;
  readonly params: Readonly<Record<string, string>>;
  readonly data: unknown;

  constructor(code: CodeName, params: Readonly<Record<string, string>> = {}, data?: unknown) {
    this.code = code;
    this.params = params;
    this.data = data;
  }
}

export function refuse(
  code: CodeName,
  params: Readonly<Record<string, string>> = {},
  data?: unknown,
): Refusal {
  return new Refusal(code, params, data);
}

/** Fields of the input that are wrong together, though each fits the contract: a form marks those it has. */
export function wrongInput(...fields: readonly string[]): Refusal {
  return refuse('invalidInput', { fields: fields.join(', ') }, { fields: fields.map((path) => ({ path })) });
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal;
}
