import { useRef, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import { CallError, NO_ANSWER } from '../http/call-error.ts';
import { call } from './call.ts';
import { usePhone } from './context.ts';
import { smallPicture } from './picture.ts';

/** A picture takes a second. After this time on a bad line the try ends; the user can send it again. */
const SEND_MS = 60_000;

export interface Slip {
  /** How many slips the payout has, once one was added here. */
  readonly slips: number | undefined;
  readonly isSending: boolean;
  /** A picture was chosen, and the server has not confirmed that it has it. */
  readonly isUnsent: boolean;
  readonly problem: string | undefined;
  readonly choose: (file: File) => Promise<void>;
  /** Sends the same bytes again. If the server has them already, it keeps them once. */
  readonly again: () => Promise<void>;
}

/** The picture of the bank's receipt. It moves no money, so it is sent as soon as it is chosen. */
export function useSlip(orderCode: string): Slip {
  const { texts } = usePhone();
  const picture = useRef<string | undefined>(undefined);
  const [slips, setSlips] = useState<number>();
  const [state, setState] = useState<'none' | 'sending' | 'unsent'>('none');
  const [problem, setProblem] = useState<string>();

  const again = async () => {
    setState('sending');
    setProblem(undefined);
    try {
      const input = { orderCode, picture: picture.current! };
      setSlips((await call(calls.addSlip, input, { signal: AbortSignal.timeout(SEND_MS) })).slips);
      setState('none');
    } catch (error) {
      const isRefused = error instanceof CallError && error.code !== NO_ANSWER;
      setState(isRefused ? 'none' : 'unsent');
      setProblem(isRefused ? error.message : texts.errors.noAnswer);
    }
  };
  const choose = async (file: File) => {
    setState('sending');
    picture.current = await smallPicture(file).catch(() => undefined);
    if (picture.current !== undefined) return again();
    setState('none');
    setProblem(texts.payouts.hand.slipWrong);
  };
  return { slips, isSending: state === 'sending', isUnsent: state !== 'none', problem, choose, again };
}
