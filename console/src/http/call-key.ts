import type { Call } from 'virtual:endpoints';

/** The key an answer is kept by; without an input, that of all answers to the call. */
export function callKey<Input>(definition: Call<Input, unknown>, input?: Input): readonly unknown[] {
  return input === undefined ? [definition.path] : [definition.path, input];
}
