/** Rows of steps, for tests that try messages and people's actions in every order. */

/** Things done one after the other. A step is a report of messages, or an action. */
export interface Row<Step> {
  readonly steps: readonly Step[];
  readonly name: string;
}

export const isReport = <Message extends string, Action extends string>(
  step: readonly Message[] | Action,
): step is readonly Message[] => typeof step !== 'string';

export function rowOf<Step extends readonly string[] | string>(steps: readonly Step[]): Row<Step> {
  return {
    steps,
    name: steps.map((step) => (typeof step === 'string' ? step : step.join(' + '))).join(', '),
  };
}

/** All ways to cut messages and actions into steps: messages that stand side by side may be one report. */
export function stepsOf<Message extends string, Action extends string>(
  [first, ...rest]: readonly (Message | Action)[],
  isMessage: (thing: Message | Action) => thing is Message,
): (readonly Message[] | Action)[][] {
  if (first === undefined) return [[]];
  return stepsOf(rest, isMessage).flatMap((later): (readonly Message[] | Action)[][] => {
    if (!isMessage(first)) return [[first, ...later]];
    const [next, ...others] = later;
    const alone = [[first], ...later];
    return next && isReport(next) ? [alone, [[first, ...next], ...others]] : [alone];
  });
}
