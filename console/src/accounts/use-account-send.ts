import { CODES } from '@sangam/contract/codes.ts';
import { useTranslation } from 'react-i18next';
import { type Call, endpoints } from 'virtual:endpoints';
import { CallError } from '../http/call-error.ts';
import { useSend } from '../http/use-send.ts';
import { ACCOUNT_CALLS } from './account.ts';

interface RefusedField {
  readonly path: string;
  readonly message: string;
}

/** Makes a call that changes an account. Refused fields are shown as text. `onDoubt` gets each doubt that the user may confirm away. */
export function useAccountSend(
  onDoubt?: (reason: string) => void,
): <Input, Output>(definition: Call<Input, Output>, input: Input, done: string) => Promise<Output> {
  const { t, i18n } = useTranslation();
  const send = useSend(...ACCOUNT_CALLS, endpoints.todo.getStarted);
  return async (definition, input, done) => {
    try {
      return await send(definition, input, done);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { fields, reason } = (error.data ?? {}) as { fields?: readonly RefusedField[]; reason?: string };
      if (reason) onDoubt?.(reason);
      const words = (text: string) =>
        i18n.exists(`accounts.refused.${text}`) ? t(`accounts.refused.${text as 'needed'}`) : text;
      if (fields?.some(({ path }) => path)) {
        const named = fields.map((field) => ({ ...field, message: words(field.message) }));
        throw new CallError(CODES.invalidInput.code, error.message, { fields: named }, error);
      }
      throw reason ? new CallError(error.code, words(reason), error.data, error) : error;
    }
  };
}
