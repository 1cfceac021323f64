import type { Call } from 'virtual:endpoints';

/** The query key of an answer. Without an input: the key that covers all answers to the call. */
export function callKey<Input>(definition: Call<Input, unknown>, input?: Input): readonly unknown[] {
  return input === undefined ? [definition.path] : [definition.path, input];
}
