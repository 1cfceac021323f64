import type { CodeName } from '@sangam/contract/codes.ts';

/**
 * An expected 'no', as a value: the code from the catalogue, the values for its text, and what else the answer shows. Bugs are exceptions.
 * A refusal returned from `Database.tx` rolls the transaction back.
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

/** Refuses fields that fit the contract one by one but are wrong together. A form marks those of them that it shows. */
export function wrongInput(...fields: readonly string[]): Refusal {
  return refuse('invalidInput', { fields: fields.join(', ') }, { fields: fields.map((path) => ({ path })) });
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal;
}
