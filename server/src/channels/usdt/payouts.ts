import type { Payer } from '../../accounts/payers.ts';
import { type Clock, SECOND } from '../../platform/clock.ts';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../payout-channel.ts';
import type { SignerClient } from './signer-client.ts';
import type { Fate, TronNode } from './tron-node.ts';

interface UsdtOptions {
  readonly signer: SignerClient;
  readonly node: TronNode;
  readonly clock: Clock;
  /** The open accounts. */
  readonly wallets: () => Promise<readonly Payer[]>;
  readonly addressOf: (accountId: bigint) => Promise<string | undefined>;
  /** Ids of the last transfers from an account, which the signer must know. */
  readonly sentLast: (accountId: bigint) => Promise<readonly string[]>;
}

/** How long a look at signer and chain is reused. */
const LOOK_FOR = 5 * SECOND;
/** The order id in a send's key: `ID` or `ID-ATTEMPT`. */
const payoutOf = (key: string) => key.split('-')[0]!;

/**
 * Payouts in USDT. The signer makes the bytes of each send once. This channel broadcasts the same bytes, again and again, while
 * a block may still take them. Only the solidified chain says how a transfer ended.
 */
export function usdtPayouts({
  signer,
  node,
  clock,
  wallets,
  addressOf,
  sentLast,
}: UsdtOptions): PayoutChannel {
  let looked: { readonly at: number; readonly payers: readonly Payer[] } | undefined;

  /** Wallets whose key the signer has and whose daily limit is not used up, each with what it holds. */
  async function look(): Promise<readonly Payer[]> {
    const open = await wallets();
    if (open.length === 0) return [];
    const { day, wallets: keys } = await signer.ask('/wallets', {});
    const able: Payer[] = [];
    for (const payer of open) {
      const key = keys.find(({ address }) => address === payer.accountNumber);
      if (!key || BigInt(key.usedToday) >= BigInt(day)) continue;
      const { usdt } = await node.wallet(payer.accountNumber);
      able.push({ ...payer, maxAmount: usdt < payer.maxAmount ? usdt : payer.maxAmount });
    }
    return able;
  }

  return {
    isFinal: true,

    async payers() {
      const now = clock.now().getTime();
      // Without an answer of the signer or the chain no wallet is open, and payouts go on waiting.
      if (!looked || looked.at + LOOK_FOR <= now) looked = { at: now, payers: await look().catch(() => []) };
      return looked.payers;
    },

    async send({ orderCode, accountId, amount, payeeAddress }, key, givenUp): Promise<SendAnswer> {
      const from = accountId === null ? undefined : await addressOf(accountId);
      if (accountId === null || from === undefined || payeeAddress === null)
        return { outcome: 'refused', reason: 'no wallet, or no address to pay' };
      const made = await signer.ask('/sign', {
        key,
        payout: orderCode,
        from,
        to: payeeAddress,
        amount: String(amount),
        known: [...(await sentLast(accountId))],
      });
      if (made.state !== 'signed') {
        const reason = `signer: ${made.reason}${made.detail === undefined ? '' : ` (${made.detail})`}`;
        if (made.state === 'wait') return { outcome: 'held', reason };
        // The signer has signed something else for this payout: the question finds what became of it.
        return { outcome: made.reason === 'different' ? 'unknown' : 'refused', reason };
      }
      // The question finds the transfer and broadcasts it, unless the wallet is frozen by then.
      givenUp?.throwIfAborted();
      const { txid: reference } = made;
      try {
        const { taken, code } = await node.broadcast(made.hex);
        return taken
          ? { outcome: 'accepted', reference }
          : { outcome: 'unknown', reason: `the TRON node says ${code}`, reference };
      } catch (error) {
        return { outcome: 'unknown', reason: (error as Error).message, reference };
      }
    },

    async check({ key, reference, accountId, isPresent, payerHeld }): Promise<CheckAnswer> {
      const from = accountId === null ? undefined : await addressOf(accountId);
      /** What the chain itself says of the transfer that was noted; undefined where it says nothing. */
      const heard = async () => {
        if (reference === null || from === undefined) return undefined;
        const word = await node.word({ txid: reference, from });
        return word && answerOf(word, reference);
      };
      const asked = signer.ask('/find', {
        key,
        payout: payoutOf(key),
        // The send is over: what was not signed by now is never signed under this key.
        renounce: reference === null,
        alone: !isPresent,
        txid: reference ?? undefined,
        known: accountId === null ? undefined : [...(await sentLast(accountId))],
      });
      const found = await asked.catch(async (error: unknown) => {
        const said = await heard();
        // That this transfer failed is not enough: the signer may know another.
        if (said?.state !== 'processed') throw error;
        return said;
      });
      if (found.state === 'processed') return found;
      const isSigned = found.state === 'signed';
      const fate = isSigned ? await node.fate(found) : undefined;
      // The transfer is noted whatever the node answers. The next question sends it again.
      if (isSigned && fate?.state === 'open' && !payerHeld)
        await node.broadcast(found.hex).catch(() => undefined);
      const answer = isSigned && fate ? answerOf(fate, found.txid) : NEVER_SIGNED;
      const isOfThisSend = isSigned && (reference === null ? found.key === key : found.txid === reference);
      if (answer.state !== 'failed' || isOfThisSend) return answer;
      // An older copy of the signer's file knows nothing of what was signed since. Once a transfer was noted, only the chain may say
      // that it failed.
      if (reference === null)
        return found.isOlder
          ? { state: 'late', reason: `the signer does not know what it has signed since: ${OLDER_FILE}` }
          : answer;
      return (
        (await heard()) ?? {
          state: 'late',
          reason: `the signer does not know transfer ${reference}: ${OLDER_FILE}`,
        }
      );
    },
  };
}

const OLDER_FILE = 'its file is an older copy';
const NEVER_SIGNED: CheckAnswer = { state: 'failed', reason: 'the signer never signed it' };

function answerOf(fate: Fate, txid: string): CheckAnswer {
  switch (fate.state) {
    case 'paid':
      return { state: 'processed', utr: txid, amount: fate.amount, payeeAddress: fate.to };
    case 'failed':
      return { state: 'failed', reason: `${fate.reason}: ${txid}` };
    case 'dead':
      return {
        state: 'failed',
        reason: `no block took ${txid} before its end, solid blocks are past it: it cannot pay any more`,
      };
    case 'late':
      return {
        state: 'late',
        reason: `${txid} was not in a solid block when its time was over`,
        reference: txid,
      };
    case 'open':
      return { state: 'processing', reference: txid };
  }
}
