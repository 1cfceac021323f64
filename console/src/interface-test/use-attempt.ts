import { useState } from 'react';
import { isHandled } from '../http/call-error.ts';

interface Attempt<Answer> {
  readonly answer: Answer | undefined;
  readonly failure: string | undefined;
  readonly busy: boolean;
  /** Runs one attempt at a time. The previous answer stays until there is a new one. */
  readonly run: () => Promise<void>;
}

/** Something that a button tries, with its result. */
export function useAttempt<Answer>(
  attempt: () => Promise<{ readonly answer: Answer } | undefined>,
): Attempt<Answer> {
  const [answer, setAnswer] = useState<Answer>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  return {
    answer,
    failure,
    busy,
    run: async () => {
      setBusy(true);
      setFailure(undefined);
      try {
        const done = await attempt();
        if (done) setAnswer(done.answer);
      } catch (error) {
        if (!isHandled(error)) setFailure(error instanceof Error ? error.message : String(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
