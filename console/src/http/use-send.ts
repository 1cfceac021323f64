import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import type { Call } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from './call-error.ts';
import { call } from './client.ts';

/** Makes a call that changes something, shows a message, and reloads the answers that the change affects. The caller shows refusals. */
export function useSend(
  ...stale: readonly { readonly path: string }[]
): <Input, Output>(definition: Call<Input, Output>, input: Input, done: string) => Promise<Output> {
  const queries = useQueryClient();
  const { message } = App.useApp();
  const readAgain = () =>
    Promise.all(stale.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
  return async (definition, input, done) => {
    const output = await call(definition, input).catch(async (error: unknown) => {
      // The request now waits for a second person; the lists show it as waiting.
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) await readAgain();
      throw error;
    });
    message.success(done);
    await readAgain();
    return output;
  };
}
